import ArgumentParser
import Bridge
import ForeignText
import Logging
import MQTT
import Printers
import StoredSettings

struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Show what the bridge would publish for the printers, or what is on the broker (--follow).",
        usage: "printer2mqtt topics [<options>]",
        discussion: """
            A line for each retained topic: its name, a tab, its payload. Streams show as not yet probed.

            A terminal shows the topics of one printer for all: --printer shows another one, and --all shows all.

            With --follow it connects to the broker, shows the retained topics, and then each message until Ctrl-C.
            """
    )

    @Option(help: "Only this printer.") var printer: String?
    @Flag(help: "Show each topic of each printer, also on a terminal.") var all = false
    @Flag(help: "Show access codes, too.") var reveal = false
    @Flag(help: "Show the messages on the broker as they come.") var follow = false
    @OptionGroup var config: ConfigOption

    func run() async throws {
        let app = try AppContext(configPath: config.path)
        let (registry, store) = try await app.openRegistry()
        let dependencies = try app.bridgeDependencies()
        let quiet = Logger(label: "topics") { _ in SwiftLogNoOpLogHandler() }
        let service = BridgeService(dependencies: dependencies, store: store, registry: registry, logger: quiet)
        let only = try printer.map { try registry.existing($0).id }
        if follow { return try await Interruption.cancelling { try await Self.follow(only, in: app, reveal: reveal) } }
        let lines = try service.topics(of: only).mapValues { message in
            reveal ? message.payload : app.redaction.apply(message.payload)
        }
        if let width = Terminal.width, !all {
            print(Self.summary(of: lines, dependencies.options.topics, only == nil ? registry.ids : [], width: width))
        } else {
            for (topic, payload) in lines.sorted(by: { $0.key < $1.key }) { print("\(topic)\t\(payload)") }
        }
    }

    /// The topics of the first printer, which stand for those of all, with payloads that are cut at the terminal's width.
    private static func summary(
        of payloads: [String: String],
        _ topics: Topics,
        _ printers: [PrinterID],
        width: Int
    ) -> String {
        let hidden = printers.dropFirst()
        let lines = payloads.filter { topic, _ in
            !hidden.contains { topic.hasPrefix("\(topics.base)/\($0)/") || topic.contains("_\($0)/") }
        }.sorted { $0.key < $1.key }
        let room = max(20, width - (lines.map(\.key.count).max() ?? 0) - 2)
        let rows = lines.map { [$0, $1.count > room ? $1.prefix(room - 1) + "…" : $1] }
        let table = TextTable(rows).description
        guard let first = printers.first, !hidden.isEmpty else { return table }
        let names = hidden.map(\.description).joined(separator: ", ")
        return
            "\(table)\n\nThe topics of \(first) stand for those of \(names): --printer ID shows one, --all shows all."
    }

    /// Prints the messages on the bridge's topics until the task is cancelled; pictures by their size only.
    private static func follow(_ only: PrinterID?, in app: AppContext, reveal: Bool) async throws {
        let topics = app.configuration.topics
        let isRunning = ProcessLock.isHeld(app.state.lockFile)
        guard let broker = app.configuration.brokerURL ?? app.state.privateBroker(whileRunning: isRunning) else {
            throw CommandFailure(.unavailable, "no broker is configured, and no bridge runs with its private one")
        }
        let filter = try MQTTTopicFilter("\(topics.base)/\(only.map(\.description) ?? "#")\(only == nil ? "" : "/#")")
        try await app.withBroker(broker) { client in
            let options = [MQTTSubscriptionOptions(filter)]
            try await client.withSubscription(options, buffer: .newest(100_000)) { messages in
                for try await message in messages where message.topic.name.isStreamSafe {
                    let isPicture = message.payload.starts(with: [0xFF, 0xD8])
                    let text = isPicture ? "(a picture of \(message.payload.count) bytes)" : message.text
                    let shown = reveal || isPicture ? text : masked(message, topics)
                    let line = [message.topic.name, reveal ? shown : app.redaction.apply(shown)].map(Self.line)
                    Terminal.show(line.joined(separator: "\t") + "\n")
                }
            }
        }
    }

    /// A text of any client in one line that no terminal obeys.
    private static func line(_ text: String) -> String { ForeignText.line(text, scalars: text.unicodeScalars.count) }

    /// A message's text without secrets that only its sender knows; by its size only if it may be a broken command.
    private static func masked(_ message: MQTTMessage, _ topics: Topics) -> String {
        guard let value = try? JSONValue(json: message.payload, limits: .message), value.objectValue != nil else {
            let isBroken = topics.isOfCommands(message.topic.name) && !message.payload.isEmpty
            return isBroken ? "(\(message.payload.count) bytes that are no JSON object)" : message.text
        }
        let masked = value.maskingSettings
        return masked == value ? message.text : masked.json()
    }
}

extension JSONValue {
    /// The same with a mask in place of each secret setting of a printer, however deep.
    fileprivate var maskingSettings: JSONValue {
        switch self {
        case .array(let values): return .array(values.map(\.maskingSettings))
        case .object(let members):
            let masked = members.map { name, value in
                let isSecret = PrinterSettings.schema[name.lowercased()]?.isSecret == true && value != .null
                return (name, isSecret ? .string(Secret<String>.mask) : value.maskingSettings)
            }
            return .object(Dictionary(uniqueKeysWithValues: masked))
        default: return self
        }
    }
}
