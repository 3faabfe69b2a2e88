// swift-tools-version: 6.2

import PackageDescription

// A program of somebody else that owns its printers' settings and runs the bridge itself.
let package = Package(
    name: "EmbeddedBridge",
    dependencies: [.package(name: "printer2mqtt", path: "../../..")],
    targets: [
        .executableTarget(
            name: "EmbeddedBridge",
            dependencies: [
                .product(name: "Bridge", package: "printer2mqtt"),
                .product(name: "MQTT", package: "printer2mqtt"),
                .product(name: "SettingsSQLite", package: "printer2mqtt"),
            ]
        )
    ]
)
