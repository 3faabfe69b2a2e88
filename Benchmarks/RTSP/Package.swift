// swift-tools-version: 6.2

import PackageDescription

// The probe and the simulated printer are no products: `Linked` has their folders, and their `package` declarations are
// visible here.
let package = Package(
    name: "rtsp-benchmarks",
    dependencies: [.package(url: "https://github.com/apple/swift-nio", from: "2.101.0")],
    targets: [
        .systemLibrary(name: "COpenSSL", path: "Linked/COpenSSL", pkgConfig: "openssl"),
        .target(name: "Platform", path: "Linked/Platform"),
        .target(name: "Concurrency", path: "Linked/Concurrency"),
        .target(name: "ForeignText", path: "Linked/ForeignText"),
        .target(name: "Secrets", path: "Linked/Secrets"),
        .target(name: "JSON", dependencies: ["ForeignText", "Platform", "Secrets"], path: "Linked/JSON"),
        .target(
            name: "OpenSSL",
            dependencies: ["COpenSSL", "ForeignText", "Platform", .product(name: "NIOCore", package: "swift-nio")],
            path: "Linked/OpenSSL"
        ),
        .target(
            name: "CameraProtocols",
            dependencies: [
                "ForeignText",
                "OpenSSL",
                "Platform",
                "Secrets",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Linked/CameraProtocols"
        ),
        .target(
            name: "PrinterSimulator",
            dependencies: [
                "CameraProtocols",
                "JSON",
                "OpenSSL",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Linked/PrinterSimulator",
            exclude: ["Resources/make-clip.sh", "Resources/make-picture.sh"],
            resources: [.embedInCode("Resources/clip.h264"), .embedInCode("Resources/picture.jpg")]
        ),
        .executableTarget(
            name: "probe-benchmark",
            dependencies: [
                "CameraProtocols",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .executableTarget(name: "simulated-printers", dependencies: ["PrinterSimulator"]),
    ]
)

// As the package itself is compiled.
for target in package.targets where target.path != nil && target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
