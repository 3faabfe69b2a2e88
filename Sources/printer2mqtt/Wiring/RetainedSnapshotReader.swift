import Bridge
import Foundation
import MQTT

/// Reads what is retained on the broker, under a client id of its own.
struct RetainedSnapshotReader {
    private let configuration: MQTTConfiguration
    private let broker: BrokerURL

    /// Prepares one; `purpose` becomes a part of the client id.
    init(_ app: AppContext, of broker: BrokerURL, for purpose: String) throws {
        var options = try app.configuration.connection(to: broker)
        // Under the bridge's own id it would take the bridge's place.
        options.clientID = "printer2mqtt-\(purpose)-\(UInt32.random(in: 0...UInt32.max))"
        configuration = options
        self.broker = broker
    }

    /// What is retained on some topics; those without anything are absent.
    ///
    /// - Parameters:
    ///   - topics: The topics.
    ///   - filters: What to subscribe to for them; the topics themselves unless given.
    ///   - timeout: How long to wait for the broker, and then for what is retained.
    /// - Returns: The payloads by topic.
    /// - Throws: ``CommandFailure`` when the broker does not answer, or refuses the client.
    func retained(
        _ topics: Set<String>,
        by filters: [String]? = nil,
        within timeout: Duration
    ) async throws -> [String: String] {
        let options = try (filters ?? Array(topics)).map { try MQTTSubscriptionOptions(MQTTTopicFilter($0)) }
        var configuration = configuration
        configuration.connectTimeout = timeout
        configuration.acknowledgeTimeout = timeout
        do {
            return try await MQTTClient.withConnection(configuration) { client in
                try await client.withSubscription(options, buffer: .newest(100_000)) { messages in
                    try await Self.collect(topics, from: messages, within: timeout)
                }
            }
        } catch let reason as MQTTDisconnectReason {
            let advice = ConnectionAdvice(for: configuration).text(for: reason)
            throw CommandFailure(.unavailable, "the broker \(broker): \(reason.message) \(advice)")
        } catch let error as MQTTError {
            throw CommandFailure(.unavailable, "the broker \(broker): \(error.message)")
        }
    }

    /// Takes messages until nothing is missing, or the time is over.
    private static func collect(
        _ topics: Set<String>,
        from messages: MQTTSubscription,
        within timeout: Duration
    ) async throws -> [String: String] {
        var payloads: [String: String] = [:]
        let limit = Task {
            try await Task.sleep(for: timeout)
            messages.cancel()
        }
        defer { limit.cancel() }
        for try await message in messages where topics.contains(message.topic.name) {
            payloads[message.topic.name] = message.text
            if payloads.count == topics.count { break }
        }
        return payloads
    }
}

extension StateDirectory {
    /// Where the private broker of a running bridge is; nil if no bridge runs, which ends its broker.
    func privateBroker(whileRunning isRunning: Bool) -> BrokerURL? { isRunning ? privateBroker : nil }

    /// Where the private broker was when the bridge last started one.
    var privateBroker: BrokerURL? {
        let folder = URL(fileURLWithPath: brokerFolder, isDirectory: true)
        return EmbeddedBroker.address(inStateDirectory: folder).map { .tcp(host: $0.host, port: $0.port) }
    }
}
