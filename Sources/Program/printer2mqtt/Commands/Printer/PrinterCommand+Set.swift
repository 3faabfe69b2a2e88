import ArgumentParser
import Bridge
import StoredSettings

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
}
