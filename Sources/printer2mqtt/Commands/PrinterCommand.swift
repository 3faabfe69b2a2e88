import ArgumentParser
import Bridge
import Foundation
import RTSP
import Settings
import SettingsSQLite

/// `printer list | show | add | set | rename | remove | accept-certificate`.
struct PrinterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printer",
        abstract: "Look at printers and change their settings.",
        discussion: "A bridge that runs on the same store takes up each change within a second.",
        subcommands: [
            List.self, Show.self, Add.self, Set.self, Rename.self, Remove.self, AcceptCertificate.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the printers.")

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let registry = try await Workshop(configPath: config.path).openRegistry().registry
            var rows = [["ID", "NAME", "ADDRESS", "MODEL", "CONFIGURED"]]
            for id in await registry.ids {
                guard let printer = await registry[id] else { continue }
                let configuration = printer.configuration
                let address = configuration[PrinterSettings.keys.printerIP]
                rows.append([
                    id.description, printer.displayName, address.isEmpty ? "-" : address,
                    configuration[PrinterSettings.keys.model].rawValue, configuration.isConfigured ? "yes" : "no",
                ])
            }
            print(TextTable(rows))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the settings of a printer."
        )

        @Argument(help: "The printer's id.") var id: String
        @Flag(help: "Show the access code, too.") var reveal = false
        @Flag(help: "As one JSON object, as on the topic <base>/<id>/config.") var json = false
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let (registry, store) = try await Workshop(configPath: config.path).openRegistry()
            let printer = try await registry.existing(id)
            guard case .object(var fields) = configDocument(of: printer, epoch: store.epoch) else { return }
            if reveal {
                fields[PrinterSettings.keys.accessCode.name] = .string(
                    printer.configuration[PrinterSettings.keys.accessCode]
                )
                fields["stream_url"] = printer.streamURL.map { .string($0.revealed()) } ?? .null
            }
            if json { return print(StoredValue.object(fields).json()) }
            let settings = PrinterSettings.schema.descriptors.map(\.name)
            let rows = (settings + ["configured", "stream_url"]).map { [$0, fields[$0]?.plainText ?? ""] }
            let last = [
                ["trusted_sha256", printer.trustedFingerprint ?? "-"],
                ["revision", String(printer.record.revision)],
            ]
            print(TextTable([["id", id]] + rows + last))
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a printer.",
            usage: "printer2mqtt printer add <id> [--<setting> <value> …] [--access-code-file <file>]",
            discussion: SettingArguments.help
        )

        @Argument(help: "The printer's id: \(PrinterID.rule).") var id: String
        @Argument(parsing: .allUnrecognized, help: .hidden) var settings: [String] = []
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let patch = try SettingArguments.parse(settings)
            let registry = try await Workshop(configPath: config.path).openRegistry().registry
            let printer = try PrinterID.checked(id)
            if await registry[printer] != nil {
                throw CommandFailure(.usage, "the printer \(id) exists already: change it with 'printer set \(id)'")
            }
            try await registry.change(printer, patch)
            print("Added \(id).")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change settings of a printer.",
            usage: "printer2mqtt printer set <id> <setting>=<value> … [--access-code-file <file>]",
            discussion: SettingArguments.help
        )

        @Argument(help: "The printer's id.") var id: String
        @Argument(parsing: .allUnrecognized, help: .hidden) var settings: [String] = []
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let patch = try SettingArguments.parse(settings)
            guard !patch.isEmpty else {
                throw CommandFailure(.usage, "nothing to set: name a setting, as in printer_ip=192.0.2.7")
            }
            let registry = try await Workshop(configPath: config.path).openRegistry().registry
            let printer = try await registry.existing(id)
            let result = try await registry.change(printer.id, patch)
            print(result.status == .unchanged ? "\(id) is so already." : "Changed \(id): revision \(result.revision).")
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Give a printer another id; its settings stay, its topics and its device move."
        )

        @Argument(help: "The printer's id.") var id: String
        @Argument(help: "Its new id: \(PrinterID.rule).") var name: String
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let registry = try await Workshop(configPath: config.path).openRegistry().registry
            let printer = try await registry.existing(id)
            let name = try PrinterID.checked(name)
            if await registry[name] != nil { throw CommandFailure(.usage, "there is a printer \(name) already") }
            try await registry.rename(printer.id, to: name)
            print("Renamed \(id) to \(name).")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a printer and its settings; a running bridge clears its topics."
        )

        @Argument(help: "The printer's id.") var id: String
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let registry = try await Workshop(configPath: config.path).openRegistry().registry
            _ = try await registry.remove(try await registry.existing(id).id)
            print("Removed \(id).")
        }
    }

    struct AcceptCertificate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept-certificate",
            abstract: "Trust one certificate of a printer from now on, and no other.",
            discussion: """
                For a printer that was reset or replaced (certificate_changed), and for one that wants the access code itself \
                at its first use (server_unproven). 'printer2mqtt probe --printer ID' shows the certificate: its name has to be \
                the serial number on the printer.
                """
        )

        @Argument(help: "The printer's id.") var id: String
        @Argument(help: "The certificate's SHA-256: 64 hexadecimal digits, with or without colons.") var fingerprint:
            String
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let registry = try await Workshop(configPath: config.path).openRegistry().registry
            let printer = try await registry.existing(id)
            let before = printer.trustedFingerprint
            do {
                try await registry.acceptCertificate(fingerprint, of: printer.id)
            } catch let fault as SettingFault {
                throw CommandFailure(.usage, "\(fault)")
            }
            let after = await registry[printer.id]?.trustedFingerprint
            print("Trusted from now on: \(after ?? "-"), before: \(before ?? "none").")
        }
    }
}

extension PrinterID {
    /// A name given by a person; throws what it should look like.
    fileprivate static func checked(_ text: String) throws -> PrinterID {
        guard let id = PrinterID(text) else {
            throw CommandFailure(.usage, "'\(text)' can't be a printer's id: it must be \(rule)")
        }
        return id
    }
}

extension PrinterRegistry {
    /// The printer of that name; throws when there is none.
    func existing(_ text: String) async throws -> Printer {
        guard let printer = self[try PrinterID.checked(text)] else {
            throw CommandFailure(
                .usage,
                "there is no printer \(text): 'printer2mqtt printer list' shows those there are"
            )
        }
        return printer
    }

    /// Changes settings by the same decision as a message from the broker.
    @discardableResult
    fileprivate func change(_ id: PrinterID, _ patch: [String: StoredValue]) async throws -> ConfigResult {
        guard let result = await change(id, patch, source: .cli) else {
            throw CommandFailure(.unavailable, "nothing was done")
        }
        if !result.errors.isEmpty {
            let faults = result.errors.map { $0.path.isEmpty ? $0.message : "\($0)" }.joined(separator: "; ")
            throw CommandFailure(result.status == .failed ? .unavailable : .usage, faults)
        }
        return result
    }
}

extension StoredValue {
    /// As a person reads it.
    fileprivate var plainText: String {
        switch self {
        case .string(let text): text
        case .secret(let secret): secret.description
        case .null: "-"
        default: json()
        }
    }
}
