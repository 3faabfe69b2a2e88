import ArgumentParser
import Printers
import StoredSettings

extension PrinterCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a printer; on a terminal it asks for what is missing.",
            usage: """
                printer2mqtt printer add [<id>] [<setting>=<value> …]
                       [--access-code-file <file>] [--config <file>]
                """,
            discussion: """
                The id is \(PrinterID.rule). It becomes a part of the topics. Type it before or after the settings.

                \(SettingArguments.help)
                """
        )

        @Argument(parsing: .allUnrecognized, help: .hidden) var words: [String] = []
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let (ids, settings) = SettingArguments.separate(words)
            let named = try SettingArguments.id(ids)
            var patch = try SettingArguments.parse(settings)
            if named == nil, !Terminal.isInteractive {
                throw CommandFailure(.usage, "name the printer: 'printer2mqtt printer add x1 --printer-ip ADDRESS'")
            }
            let registry = try await AppContext(configPath: config.path).openRegistry().registry
            let known = Swift.Set(await registry.ids)
            if let id = try named.map(PrinterID.checked) { try Self.requireNew(id, known) }
            let id = try await PrinterDialog(known: known).complete(named, &patch)
            try Self.requireNew(id, known)
            try await registry.add(id, patch)
            print("Added \(id).")
        }

        private static func requireNew(_ id: PrinterID, _ known: Swift.Set<PrinterID>) throws {
            if known.contains(id) { throw CommandFailure.exists(id) }
        }
    }
}

extension CommandFailure {
    /// What to do about a printer that is there already.
    static func exists(_ id: PrinterID) -> CommandFailure {
        CommandFailure(.usage, "the printer \(id) exists already: change it with 'printer set \(id)'")
    }
}
