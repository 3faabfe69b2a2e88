// swift-tools-version: 6.2

import PackageDescription

// A package of somebody else, who wants settings and nothing more of this one.
let package = Package(
    name: "SettingsOnly",
    dependencies: [.package(name: "printer2mqtt", path: "../../..")],
    targets: [
        .executableTarget(
            name: "SettingsOnly",
            dependencies: [.product(name: "StoredSettings", package: "printer2mqtt")]
        ),
        // The article about services, and a signal that ends it.
        .executableTarget(
            name: "Service",
            dependencies: [.product(name: "StoredSettings", package: "printer2mqtt")]
        ),
    ]
)
