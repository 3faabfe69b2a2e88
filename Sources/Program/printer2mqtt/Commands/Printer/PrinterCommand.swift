import ArgumentParser
import Bridge
import Printers
import Recorder
import StoredSettings

struct PrinterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printer",
        abstract: "Look at printers and change their settings.",
        discussion: "A bridge that runs on the same store takes up each change within a second.",
        subcommands: [
            List.self, Show.self, Add.self, Set.self, Rename.self, Remove.self, AcceptCertificate.self,
        ]
    )
}

extension PrinterCommand {
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change settings of a printer.",
            usage: """
                printer2mqtt printer set <id> <setting>=<value> …
                       [--access-code-file <file>] [--config <file>]
                """,
            discussion: "Type the id before or after the settings.\n\n" + SettingArguments.help
        )

        @Argument(parsing: .allUnrecognized, help: .hidden) var words: [String] = []
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let (named, patch) = try SettingArguments.parse(words)
            guard let id = named else {
                throw CommandFailure(.usage, "name the printer, as in 'printer set x1 printer_ip=192.0.2.7'")
            }
            guard !patch.isEmpty else {
                throw CommandFailure(.usage, "nothing to set: name a setting, as in printer_ip=192.0.2.7")
            }
            let registry = try await AppContext(configPath: config.path).openRegistry().registry
            let printer = try registry.existing(id)
            let result = try await registry.change(printer.id, patch)
            print(result.status == .unchanged ? "\(id) is so already." : "Changed \(id): revision \(result.revision).")
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a printer another id; its settings stay, its topics and its device move."
        )

        @Argument(help: "The printer's id.") var id: String
        @Argument(help: "Its new id: \(PrinterID.rule).") var name: String
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let app = try AppContext(configPath: config.path)
            let registry = try await app.openRegistry().registry
            let printer = try registry.existing(id)
            let name = try PrinterID.checked(name)
            if registry[name] != nil { throw CommandFailure(.usage, "there is a printer \(name) already") }
            try await ClipFolder.keepClips(of: printer.id, as: name, in: app.state.clips) {
                try await registry.rename(printer.id, to: name, by: .cli)
            }
            print("Renamed \(id) to \(name).")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a printer and its settings; a running bridge clears its topics."
        )

        @Argument(help: "The printer's id.") var id: String
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let registry = try await AppContext(configPath: config.path).openRegistry().registry
            _ = try await registry.remove(try registry.existing(id).id)
            print("Removed \(id).")
        }
    }
}
