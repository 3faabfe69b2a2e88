// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that nobody who uses the libraries builds it.
let package = Package(
    name: "MQTTBenchmarks",
    dependencies: [
        .package(name: "printer2mqtt", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .executableTarget(
            name: "Bench",
            dependencies: [
                .product(name: "MQTT", package: "printer2mqtt"),
                .product(name: "Logging", package: "swift-log"),
            ]
        )
    ]
)
