// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// The macros' program, if it is built already: 'make build' names one that was built for debugging, since to optimise
/// swift-syntax takes longer than to build the rest.
let macroPlugin = Context.environment["SETTINGS_MACROS"]

let package = Package(
    name: "printer2mqtt",
    products: [
        .executable(name: "printer2mqtt", targets: ["printer2mqtt"]),
        .library(name: "Bridge", targets: ["Bridge"]),
        .library(name: "MQTT", targets: ["MQTT"]),
        .library(name: "StoredSettings", targets: ["StoredSettings"]),
        .library(name: "SettingsEtcd", targets: ["SettingsEtcd"]),
        .library(name: "SettingsMQTT", targets: ["SettingsMQTT"]),
        .library(name: "SettingsSecrets", targets: ["SettingsSecrets"]),
        .library(name: "SettingsSQLite", targets: ["SettingsSQLite"]),
        .library(name: "SettingsTesting", targets: ["SettingsTesting"]),
        .library(name: "SettingsUserDefaults", targets: ["SettingsUserDefaults"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Its traits bring configuration files and the whole of Foundation, which nothing here uses.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"605.0.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CMosquitto",
            pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"])]
        ),
        .target(
            name: "OpenSSL",
            dependencies: ["COpenSSL", "ForeignText", "Platform", .product(name: "NIOCore", package: "swift-nio")]
        ),
        .macro(
            name: "SettingsMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ]
        ),
        .target(name: "Platform"),
        .target(name: "ForeignText"),
        .target(name: "Secrets"),
        .target(name: "JSON", dependencies: ["ForeignText", "Platform", "Secrets"]),
        .target(name: "Concurrency"),
        .target(
            name: "StoredSettings",
            dependencies: ["Concurrency", "ForeignText", "JSON", "Platform", "Secrets"]
                + (macroPlugin == nil ? ["SettingsMacros"] : [])
        ),
        .target(
            name: "SettingsSQLite",
            dependencies: [
                "Platform", "StoredSettings", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "SettingsEtcd",
            dependencies: [
                "ForeignText", "HTTP", "OpenSSL", "StoredSettings", .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .target(name: "SettingsSecrets", dependencies: ["OpenSSL", "Platform", "StoredSettings"]),
        .target(name: "SettingsTesting", dependencies: ["Concurrency", "Platform", "StoredSettings"]),
        .target(name: "SettingsUserDefaults", dependencies: ["StoredSettings"]),
        .target(
            name: "MQTT",
            dependencies: [
                "CMosquitto", "Concurrency", "OpenSSL", "Platform", "Secrets",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(name: "SettingsMQTT", dependencies: ["Concurrency", "ForeignText", "MQTT", "StoredSettings"]),
        .target(
            name: "HTTP",
            dependencies: [
                "OpenSSL", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .target(
            name: "CameraProtocols",
            dependencies: [
                "ForeignText", "OpenSSL", "Platform", "Secrets", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .target(name: "CIsolation"),
        .target(name: "Pictures", dependencies: ["CameraProtocols", "CIsolation", "Concurrency", "Platform"]),
        .target(
            name: "PrinterReport",
            dependencies: [
                "CameraProtocols", "Concurrency", "ForeignText", "JSON", "MQTT", "OpenSSL", "Platform", "Secrets",
                "StoredSettings", .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "Printers",
            dependencies: [
                "CameraProtocols", "Concurrency", "ForeignText", "JSON", "OpenSSL", "Platform", "PrinterReport",
                "Secrets", "SettingsSecrets", "StoredSettings", .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "Cameras",
            dependencies: [
                "CameraProtocols", "Concurrency", "JSON", "OpenSSL", "Pictures", "Platform", "PrinterReport",
                "Printers", "StoredSettings", .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .target(
            name: "Relay",
            dependencies: [
                "CameraProtocols", "Cameras", "Concurrency", "OpenSSL", "Platform", "Printers",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "Recorder",
            dependencies: [
                "CameraProtocols", "JSON", "Pictures", "Platform", "PrinterReport", "Printers", "StoredSettings",
                .product(name: "DequeModule", package: "swift-collections"),
            ]
        ),
        .target(
            name: "Announcements",
            dependencies: [
                "CameraProtocols", "Platform", "Printers", "StoredSettings",
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .target(
            name: "Bridge",
            dependencies: [
                "Announcements", "CameraProtocols", "Cameras", "Concurrency", "ForeignText", "HTTP",
                "JSON", "MQTT", "OpenSSL", "Pictures", "Platform", "PrinterReport", "Printers", "Recorder",
                "Relay", "StoredSettings", .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "Fleet",
            dependencies: [
                "Concurrency", "JSON", "Platform", "Printers", "SettingsEtcd",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "PrinterSimulator",
            dependencies: [
                "CameraProtocols", "JSON", "OpenSSL", "Platform", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["Resources/make-clip.sh", "Resources/make-picture.sh"],
            resources: [.embedInCode("Resources/clip.h264"), .embedInCode("Resources/picture.jpg")]
        ),
        .target(
            name: "WebInterface",
            dependencies: [
                "Bridge", "CameraProtocols", "Cameras", "Concurrency", "ForeignText", "JSON", "OpenSSL", "Platform",
                "PrinterReport", "Printers", "Recorder", "Relay", "Secrets", "StoredSettings",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Resources")]
        ),
        .executableTarget(
            name: "printer2mqtt",
            dependencies: [
                "Announcements", "Bridge", "CameraProtocols", "Cameras", "Concurrency", "Fleet", "ForeignText", "JSON",
                "MQTT", "OpenSSL", "Pictures", "Platform", "PrinterReport", "Printers", "PrinterSimulator",
                "Recorder", "Relay", "Secrets", "SettingsEtcd", "SettingsSQLite", "StoredSettings", "WebInterface",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            resources: [.embedInCode("Findings/situations.txt")]
        ),
        .target(
            name: "TestSupport",
            dependencies: [
                "OpenSSL", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/TestSupport",
            resources: [.copy("Servers")]
        ),
        .testTarget(name: "ConcurrencyTests", dependencies: ["Concurrency"]),
        .testTarget(name: "ForeignTextTests", dependencies: ["ForeignText"]),
        .testTarget(
            name: "OpenSSLTests",
            dependencies: [
                "OpenSSL", "TestSupport", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "SettingsMacrosTests",
            // The examples in the articles import the other products.
            dependencies: [
                "MQTT", "SettingsMQTT", "SettingsSQLite", "SettingsTesting", "StoredSettings", "TestSupport",
            ],
            exclude: ["Programs"]
        ),
        .target(name: "SettingsSamples", dependencies: ["OpenSSL", "SettingsSecrets", "StoredSettings"]),
        .testTarget(
            name: "SettingsTests",
            dependencies: [
                "Concurrency", "ForeignText", "JSON", "Secrets", "SettingsSamples", "SettingsTesting", "StoredSettings",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "SettingsSQLiteTests",
            dependencies: ["SettingsSamples", "SettingsSQLite", "SettingsTesting", "StoredSettings", "TestSupport"]
        ),
        .testTarget(
            name: "SettingsEtcdTests",
            dependencies: ["SettingsEtcd", "SettingsSamples", "SettingsTesting", "StoredSettings", "TestSupport"]
        ),
        .testTarget(
            name: "SettingsStoreTests",
            dependencies: [
                "SettingsSamples", "SettingsSecrets", "SettingsSQLite", "SettingsTesting", "SettingsUserDefaults",
                "StoredSettings", "TestSupport",
            ]
        ),
        .testTarget(
            name: "MQTTTests",
            dependencies: [
                "Concurrency", "MQTT", "OpenSSL", "Platform", "Secrets", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "SettingsMQTTTests",
            dependencies: [
                "MQTT", "SettingsMQTT", "StoredSettings", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "HTTPTests",
            dependencies: [
                "HTTP", "OpenSSL", "TestSupport", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "CameraProtocolsTests",
            dependencies: [
                "CameraProtocols", "OpenSSL", "Platform", "PrinterSimulator", "Secrets", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "PicturesTests",
            dependencies: ["CameraProtocols", "Pictures", "Platform", "Secrets", "TestSupport"]
        ),
        .target(
            name: "PrinterSamples",
            dependencies: [
                "CameraProtocols", "OpenSSL", "Platform", "Printers", "StoredSettings", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "PrintersTests",
            dependencies: [
                "CameraProtocols", "Concurrency", "JSON", "OpenSSL", "Platform", "PrinterReport", "Printers",
                "PrinterSamples", "Secrets", "SettingsTesting", "StoredSettings", "TestSupport",
            ],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "PrinterReportTests",
            dependencies: [
                "CameraProtocols", "Cameras", "ForeignText", "JSON", "MQTT", "OpenSSL", "Platform", "PrinterReport",
                "Printers", "PrinterSamples", "PrinterSimulator", "Secrets", "StoredSettings", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Reports"]
        ),
        .testTarget(
            name: "CamerasTests",
            dependencies: [
                "CameraProtocols", "Cameras", "Concurrency", "JSON", "OpenSSL", "Pictures", "Platform", "PrinterReport",
                "Printers",
                "PrinterSamples", "PrinterSimulator", "StoredSettings", "TestSupport",
            ]
        ),
        .testTarget(
            name: "RecorderTests",
            dependencies: [
                "CameraProtocols", "Pictures", "Platform", "PrinterReport", "Printers", "Recorder", "TestSupport",
            ]
        ),
        .testTarget(
            name: "RelayTests",
            dependencies: [
                "CameraProtocols", "Cameras", "Platform", "Printers", "PrinterSamples", "Relay", "StoredSettings",
                "TestSupport", .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "AnnouncementsTests",
            dependencies: [
                "Announcements", "CameraProtocols", "Platform", "Printers", "PrinterSamples", "PrinterSimulator",
                "StoredSettings", "TestSupport", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "BridgeTests",
            dependencies: [
                "Bridge", "CameraProtocols", "Cameras", "Concurrency", "JSON", "MQTT", "OpenSSL",
                "Pictures", "Platform", "PrinterReport", "Printers", "PrinterSamples", "PrinterSimulator", "Recorder",
                "Relay", "Secrets", "SettingsTesting", "StoredSettings", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Golden"]
        ),
        .testTarget(name: "FleetTests", dependencies: ["Fleet", "Platform", "Printers", "SettingsEtcd"]),
        .testTarget(
            name: "PrinterSimulatorTests",
            dependencies: ["CameraProtocols", "PrinterSimulator", "TestSupport"]
        ),
        .testTarget(
            name: "WebInterfaceTests",
            dependencies: [
                "Bridge", "CameraProtocols", "Cameras", "JSON", "MQTT", "OpenSSL", "Pictures", "Platform",
                "PrinterReport", "Printers", "PrinterSamples", "PrinterSimulator", "Recorder", "Relay", "Secrets",
                "StoredSettings", "TestSupport", "WebInterface",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Bridge", "JSON", "MQTT", "OpenSSL", "PrinterReport", "Printers", "PrinterSamples", "printer2mqtt",
                "SettingsSQLite", "StoredSettings", "TestSupport",
            ]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["printer2mqtt", "PrinterSimulator", "TestSupport"]
        ),
    ]
)

/// The folders under `Sources` and `Tests`.
///
/// Nothing imports from a room above its own.
let rooms: KeyValuePairs = [
    "Program": ["printer2mqtt", "WebInterface", "PrinterSimulator", "Command", "EndToEnd"],
    "Fleet": ["Fleet"],
    "Bridge": ["Bridge"],
    "Camera": ["Cameras", "Pictures", "Relay", "Recorder"],
    "Printers": ["Printers", "PrinterReport", "Announcements", "PrinterSamples"],
    "Settings": [
        "StoredSettings", "SettingsMacros", "SettingsSQLite", "SettingsUserDefaults", "SettingsMQTT", "SettingsEtcd",
        "SettingsSecrets", "SettingsTesting", "Settings", "SettingsStore", "SettingsSamples",
    ],
    "Protocols": ["HTTP", "MQTT", "CameraProtocols", "OpenSSL"],
    "System": [
        "CMosquitto", "COpenSSL", "CIsolation", "Concurrency", "ForeignText", "JSON", "Platform", "Secrets",
    ],
]
for target in package.targets where target.path == nil {
    let concept = target.name.hasSuffix("Tests") ? String(target.name.dropLast(5)) : target.name
    guard let (room, _) = rooms.first(where: { $0.value.contains(concept) }) else {
        fatalError("Name the room of \(target.name)")
    }
    let tree = target.type == .test || concept.hasSuffix("Samples") ? "Tests" : "Sources"
    target.path = "\(tree)/\(room)/\(target.name)"
}

// Each is on by default in a later language mode: https://www.swift.org/swift-evolution/#?upcoming=true
let upcoming: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
]
// The checks turn warnings into errors; a user's newer compiler must not be stopped by one.
let strict: [SwiftSetting] = Context.environment["WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : []
let macros: [SwiftSetting] =
    macroPlugin.map { [.unsafeFlags(["-load-plugin-executable", "\($0)#SettingsMacros"])] } ?? []

for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + upcoming + strict + macros
}
