import ArgumentParser
import Bridge

extension PrinterCommand {
    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Give a printer another id; its settings stay, its topics and its device move."
        )

        @Argument(help: "The printer's id.") var id: String
        @Argument(help: "Its new id: \(PrinterID.rule).") var name: String
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let registry = try await AppContext(configPath: config.path).openRegistry().registry
            let printer = try await registry.existing(id)
            let name = try PrinterID.checked(name)
            if await registry[name] != nil { throw CommandFailure(.usage, "there is a printer \(name) already") }
            try await registry.rename(printer.id, to: name)
            print("Renamed \(id) to \(name).")
        }
    }
}
