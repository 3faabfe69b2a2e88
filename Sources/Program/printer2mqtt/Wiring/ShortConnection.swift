import Bridge
import Foundation
import MQTT

/// A command's connection to the broker, under a client id of its own: with the bridge's id it would end the bridge's.
struct ShortConnection {
    private let configuration: MQTTConfiguration
    private let broker: BrokerURL
    private let timeout: Duration

    /// Prepares a connection; `purpose` is a part of the client id, and `timeout` limits each answer of the broker.
    init(_ app: AppContext, to broker: BrokerURL, for purpose: String, within timeout: Duration) throws {
        var configuration = try app.configuration.connection(to: broker)
        configuration.clientID = "printer2mqtt-\(purpose)-\(UInt32.random(in: 0...UInt32.max))"
        (configuration.connectTimeout, configuration.acknowledgeTimeout) = (timeout, timeout)
        (self.configuration, self.broker, self.timeout) = (configuration, broker, timeout)
    }

    /// Connects, and disconnects after the work.
    func use<Result: Sendable>(_ work: (MQTTClient) async throws -> Result) async throws -> Result {
        do { return try await MQTTClient.withConnection(configuration, work) } catch let reason as MQTTDisconnectReason
        {
            let advice = ConnectionAdvice(for: configuration).text(for: reason)
            throw CommandFailure(.unavailable, "the broker \(broker): \(reason.message) \(advice)")
        } catch let error as MQTTError {
            throw CommandFailure(.unavailable, "the broker \(broker): \(error.message)")
        }
    }

    /// What is retained on a topic; nil if nothing came in time.
    func retained(_ topic: String, with client: MQTTClient) async throws -> String? {
        try await client.withSubscription([MQTTSubscriptionOptions(MQTTTopicFilter(topic))]) { messages in
            try await messages.ending(after: timeout) { try await $0.first { _ in true }?.text }
        }
    }
}

extension MQTTSubscription {
    /// Reads from the subscription, whose messages end after a time.
    func ending<Result>(
        after timeout: Duration,
        _ read: (MQTTSubscription) async throws -> Result
    ) async throws -> Result {
        let limit = Task {
            try await Task.sleep(for: timeout)
            cancel()
        }
        defer { limit.cancel() }
        return try await read(self)
    }
}

extension StateDirectory {
    /// Where the private broker of a running bridge is; nil if no bridge runs, which ends its broker.
    func privateBroker(whileRunning isRunning: Bool) -> BrokerURL? { isRunning ? privateBroker : nil }

    /// Where the private broker of a bridge listens; nil if there is none.
    var privateBroker: BrokerURL? {
        FileManager.default.fileExists(atPath: brokerSocket) ? .unix(path: brokerSocket) : nil
    }
}
