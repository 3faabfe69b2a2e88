import Bridge
import Foundation
import MQTT

extension MQTTConfiguration {
    /// The same for a check, with another client id that begins with the bridge's (mosquitto: clientid_prefixes).
    ///
    /// Some brokers replace the client id by the user's name. The session is then the bridge's, and a clean start would end it.
    /// The client disconnects before it acknowledges a message that waits for the bridge.
    func forCheck(within timeout: Duration) -> MQTTConfiguration {
        var configuration = self
        let base = clientID.isEmpty ? "printer2mqtt" : clientID
        configuration.clientID = "\(base)-doctor-\(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
        (configuration.cleanStart, configuration.resumesSession) = (false, false)
        // As long as the bridge's, because the session may turn out to be the bridge's.
        configuration.sessionExpiry = .seconds(3_600)
        (configuration.connectTimeout, configuration.acknowledgeTimeout) = (timeout, timeout)
        return configuration
    }
}

extension MQTTClient {
    /// Connects as ``MQTTConfiguration/forCheck(within:)`` says, and leaves no session.
    static func withCheck<Result: Sendable>(
        _ configuration: MQTTConfiguration,
        _ work: (MQTTClient) async throws -> Result
    ) async throws -> Result {
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await withConnection(configuration, work)) } catch let reason as MQTTDisconnectReason
        {
            throw reason
        } catch { result = .failure(error) }
        // Before MQTT 5, only a clean start ends a session. This client's session is new, so no other one is lost.
        if configuration.protocolVersion == .v311 {
            var cleaner = configuration
            cleaner.cleanStart = true
            try? await withConnection(cleaner) { _ in }
        }
        return try result.get()
    }
}

extension AppContext {
    /// Connects a command to a broker, as for a check; `consequence` ends the message of a failure.
    func withBroker<Result: Sendable>(
        _ broker: BrokerURL,
        or consequence: String = "",
        _ work: (MQTTClient) async throws -> Result
    ) async throws -> Result {
        let connection = try bridgeDependencies(broker: broker).broker.forCheck(within: .seconds(5))
        do { return try await MQTTClient.withCheck(connection, work) } catch let reason as MQTTDisconnectReason {
            throw CommandFailure(.unavailable, "\(broker): \(connection.explanation(of: reason))\(consequence)")
        } catch let error as MQTTError {
            throw CommandFailure(.unavailable, "\(broker): \(error.message)\(consequence)")
        }
    }
}

extension StateDirectory {
    /// Where the private broker of a running bridge is; nil if no bridge runs, because the broker ends with the bridge.
    func privateBroker(whileRunning isRunning: Bool) -> BrokerURL? {
        isRunning && FileManager.default.fileExists(atPath: brokerSocket) ? .unix(path: brokerSocket) : nil
    }
}
