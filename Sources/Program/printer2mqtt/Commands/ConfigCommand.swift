import ArgumentParser
import Foundation
import OpenSSL
import Printers
import StoredSettings

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Look at the configuration.",
        subcommands: [Check.self, Show.self, Schema.self]
    )

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check the configuration, and say what is wrong with it."
        )

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let app = try AppContext(configPath: config.path)
            try app.configuration.checkForBridge()
            // A store that this user cannot read, or that is damaged, is no fault of the configuration.
            if app.state.hasDatabase, !app.isInFleet, let registry = try? await app.openRegistry().registry {
                try app.checkFile(over: registry)
            }
            if let cut = app.configuration.cutSecrets?.naming(.ofCommand(config: config.path)) {
                Terminal.note("warning: \(cut.message) \(cut.fix ?? "")\n")
            }
            for warning in app.configuration.certificatesToRenew { Terminal.note("warning: \(warning)\n") }
            print("The configuration is valid.")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show every key with its value, where that was given, and the variable that overrides it.",
            discussion: "A key whose value is not valid shows its default; the mistakes follow, with exit code 78."
        )

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let configuration = try FileConfiguration.read(path: config.path)
            let rows = ConfigKeys.schema.descriptors.map { key in
                let value = configuration.values[key.name] ?? key.defaultValue
                let origin = configuration.origins[key.name] ?? .default
                return [key.name, value.description, origin.description, FileConfiguration.variable(for: key.name)]
            }
            print(TextTable([["KEY", "VALUE", "FROM", "VARIABLE"]] + rows))
            if let failure = configuration.failure { throw failure }
        }
    }

    struct Schema: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the JSON Schema of a printer's settings, as on <base>/bridge/schema."
        )

        // It depends on no file; every command takes the option.
        @OptionGroup var config: ConfigOption

        func run() async throws { print(configSchema().json()) }
    }
}

extension FileConfiguration {
    /// Which of the bridge's own certificates are not valid now; a server refuses them later, and may not say why.
    fileprivate var certificatesToRenew: [String] {
        let keys: [Key<String>] = [\.mqttCertificate, \.fleetCertificate]
        return keys.compactMap { key in
            guard let pem = given(key).flatMap(FileManager.default.contents),
                let report = try? CertificateReport(pem: String(decoding: pem, as: UTF8.self)),
                report.validity(at: Date()) != .valid
            else { return nil }
            let (name, from, to) = (ConfigKeys.keys[keyPath: key].name, report.notBefore, report.notAfter)
            return "\(name) is valid from \(from.iso8601) to \(to.iso8601) only. Renew it, or correct the clock."
        }
    }
}
