import ArgumentParser
import Bridge

extension PrinterCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a printer and its settings; a running bridge clears its topics."
        )

        @Argument(help: "The printer's id.") var id: String
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let registry = try await AppContext(configPath: config.path).openRegistry().registry
            _ = try await registry.remove(try await registry.existing(id).id)
            print("Removed \(id).")
        }
    }
}
