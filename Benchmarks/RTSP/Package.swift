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
        .target(name: "StoredSettings", dependencies: ["Concurrency", "Platform"], path: "Linked/StoredSettings"),
        .target(
            name: "OpenSSL",
            dependencies: ["COpenSSL", "Platform", .product(name: "NIOCore", package: "swift-nio")],
            path: "Linked/OpenSSL"
        ),
        .target(
            name: "RTSP",
            dependencies: [
                "OpenSSL",
                "Platform",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Linked/RTSP"
        ),
        .target(
            name: "PrinterSimulator",
            dependencies: [
                "OpenSSL",
                "StoredSettings",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Linked/PrinterSimulator",
            exclude: ["Resources/make-clip.sh"],
            resources: [.embedInCode("Resources/clip.h264")]
        ),
        .executableTarget(
            name: "probe-benchmark",
            dependencies: [
                "RTSP",
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
