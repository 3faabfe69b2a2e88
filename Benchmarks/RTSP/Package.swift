// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "rtsp-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "printer2mqtt", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .executableTarget(
            name: "probe-benchmark",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "RTSP", package: "printer2mqtt"),
            ]
        ),
        .executableTarget(
            name: "simulated-printers",
            dependencies: [.product(name: "PrinterSimulator", package: "printer2mqtt")]
        ),
    ]
)
