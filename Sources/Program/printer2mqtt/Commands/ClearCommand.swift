import ArgumentParser
import Bridge
import Foundation
import MQTT
import StoredSettings

struct ClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove what the bridge has published: its retained topics, and its devices in Home Assistant.",
        discussion: """
            Stop the bridge first: it would publish everything again. No setting is changed, and the next start of the bridge \
            publishes everything again. Removing the Debian package does this, too.
            """
    )

    /// Less than the client's queue of outgoing messages.
    private static let batch = 500

    @OptionGroup var config: ConfigOption

    func run() async throws {
        let app = try AppContext(configPath: config.path)
        try app.requireStoreOfThisMachine("remove each printer with 'printer2mqtt printer remove ID'")
        try app.requireState()
        try app.requireNoBridge(", and would publish everything again")
        guard app.state.hasDatabase else {
            return print("Nothing was published: there are no settings in \(app.state.path).")
        }
        // No bridge may start meanwhile.
        let lock = try ProcessLock.ofBridge(on: app.state)
        defer { lock.release() }
        guard let broker = app.configuration.brokerURL else {
            return print("Nothing is left: the private broker ended with the bridge.")
        }
        let store = try app.openLocalStore()
        let (held, cleared) = try BridgeService.publishedTopics(in: store)
        // Those that were cleared before, too: a broker that crashes restores an older state.
        let topics = held.union(cleared).sorted()
        let left =
            "\(held.count) retained topics of the bridge stay there. Run 'printer2mqtt clear' again before you remove the settings"
        let refused = try await app.withBroker(broker, or: " \(left)") { try await Self.clear(topics, with: $0) }
        guard refused.isEmpty else {
            let example = refused.prefix(3).joined(separator: ", ")
            throw CommandFailure(.unavailable, "\(broker) refused to clear \(refused.count) topics, such as \(example)")
        }
        try await BridgeService.forgetPublished(in: store)
        print(
            held.isEmpty ? "Nothing of the bridge is left on \(broker)." : "Cleared \(held.count) topics on \(broker)."
        )
    }

    /// Clears topics; returns those that the broker refused to clear.
    private static func clear(_ topics: [String], with client: MQTTClient) async throws -> [String] {
        var refused: [String] = []
        for start in stride(from: 0, to: topics.count, by: batch) {
            let names = Array(topics[start..<min(start + batch, topics.count)])
            let messages = try names.map { MQTTMessage(topic: try MQTTTopic($0), payload: "", retain: true) }
            let answers = await withCheckedContinuation { continuation in
                client.publish(messages) { continuation.resume(returning: $0) }
            }
            for (name, answer) in zip(names, answers) {
                do { _ = try answer.get() } catch let error as MQTTError where error.code == .refused {
                    refused.append(name)
                }
            }
        }
        return refused
    }
}
