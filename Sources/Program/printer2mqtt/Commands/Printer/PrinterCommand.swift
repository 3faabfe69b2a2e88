import ArgumentParser
import Printers
import Recorder

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
