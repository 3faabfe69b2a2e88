// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "settings-benchmarks",
    dependencies: [.package(name: "printer2mqtt", path: "../..")],
    targets: [
        .executableTarget(
            name: "DurabilityBenchmark",
            dependencies: [
                .product(name: "StoredSettings", package: "printer2mqtt"),
                .product(name: "SettingsSQLite", package: "printer2mqtt"),
            ]
        ),
        .target(name: "AllocationCounter"),
        .executableTarget(
            name: "ObservationBenchmark",
            dependencies: [
                "AllocationCounter",
                .product(name: "StoredSettings", package: "printer2mqtt"),
                .product(name: "SettingsSQLite", package: "printer2mqtt"),
            ]
        ),
    ]
)
