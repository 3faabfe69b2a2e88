import ArgumentParser
import Bridge
import Logging

struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Show what the bridge would publish for the printers, without a broker.",
        usage: "printer2mqtt topics [<options>]",
        discussion: """
            A line for each retained topic: its name, a tab, its payload. Streams show as not yet probed.

            A terminal shows the topics of one printer for all: --printer shows another one, and --all shows all.
            """
    )

    @Option(help: "Only this printer.") var printer: String?
    @Flag(help: "Show each topic of each printer, also on a terminal.") var all = false
    @Flag(help: "Show access codes, too.") var reveal = false
    @OptionGroup var config: ConfigOption

    func run() async throws {
        let app = try AppContext(configPath: config.path)
        let (registry, store) = try await app.openRegistry()
        let dependencies = try app.bridgeDependencies()
        let quiet = Logger(label: "topics") { _ in SwiftLogNoOpLogHandler() }
        let service = BridgeService(dependencies: dependencies, store: store, registry: registry, logger: quiet)
        let only = try printer.map { try registry.existing($0).id }
        let lines = try service.topics(of: only).mapValues { message in
            reveal ? message.payload : app.redaction.apply(message.payload)
        }
        if let width = Terminal.width, !all {
            let printers = only == nil ? registry.ids : []
            print(TopicSummary(lines, topics: dependencies.topics, printers: printers).text(width: width))
        } else {
            for (topic, payload) in lines.sorted(by: { $0.key < $1.key }) { print("\(topic)\t\(payload)") }
        }
    }
}
