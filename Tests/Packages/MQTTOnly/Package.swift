// swift-tools-version: 6.2

import PackageDescription

// A package of somebody else, who wants the MQTT client and nothing more of this one.
let package = Package(
    name: "MQTTOnly",
    dependencies: [.package(name: "printer2mqtt", path: "../../..")],
    targets: [
        .executableTarget(
            name: "MQTTOnly",
            dependencies: [.product(name: "MQTT", package: "printer2mqtt")]
        )
    ]
)
