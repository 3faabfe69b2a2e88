import Bridge
import Foundation
import MQTT

/// A command's connection to the broker, under a client id of its own: with the bridge's id it would end the bridge's.
///
/// Where the broker gives both one id nevertheless, it ends before it acknowledges a message that waits for the bridge.
struct ShortConnection {
    private let configuration: MQTTConfiguration
    private let broker: BrokerURL
    private let timeout: Duration

    /// Prepares a connection; `purpose` is a part of the client id, and `timeout` limits each answer of the broker.
    init(_ app: AppContext, to broker: BrokerURL, for purpose: String, within timeout: Duration) throws {
        configuration = try app.configuration.connection(to: broker).forCommand(purpose, within: timeout)
        (self.broker, self.timeout) = (broker, timeout)
    }

    func use<Result: Sendable>(_ work: (MQTTClient) async throws -> Result) async throws -> Result {
        do { return try await MQTTClient.withCommand(configuration, work) } catch let reason as MQTTDisconnectReason {
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

extension MQTTConfiguration {
    /// The same for a command: under an id of its own, which begins as the bridge's (mosquitto: clientid_prefixes).
    ///
    /// A clean start would end the bridge's session where the broker replaces the id by the user's name.
    func forCommand(_ purpose: String, within timeout: Duration) -> MQTTConfiguration {
        var configuration = self
        let base = clientID.isEmpty ? "printer2mqtt" : clientID
        configuration.clientID = "\(base)-\(purpose)-\(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
        (configuration.cleanStart, configuration.resumesSession) = (false, false)
        // As long as the bridge's: it holds for a session that turns out to be the bridge's.
        configuration.sessionExpiry = .seconds(3_600)
        (configuration.connectTimeout, configuration.acknowledgeTimeout) = (timeout, timeout)
        return configuration
    }
}

extension MQTTClient {
    /// Connects as ``MQTTConfiguration/forCommand(_:within:)`` says, and leaves no session.
    static func withCommand<Result: Sendable>(
        _ configuration: MQTTConfiguration,
        _ work: (MQTTClient) async throws -> Result
    ) async throws -> Result {
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await withConnection(configuration, work)) } catch let reason as MQTTDisconnectReason
        {
            throw reason
        } catch { result = .failure(error) }
        // Before MQTT 5, a session ends with a clean start only. There was none before this one.
        if configuration.protocolVersion == .v311 {
            var cleaner = configuration
            cleaner.cleanStart = true
            try? await withConnection(cleaner) { _ in }
        }
        return try result.get()
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
