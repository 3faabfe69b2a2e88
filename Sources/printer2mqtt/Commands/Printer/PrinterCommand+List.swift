import ArgumentParser
import Bridge
import Settings

extension PrinterCommand {
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
}
