import Bridge
import Foundation
import MQTT

/// The connection to the broker, what is retained there, and what the bridge's user may do.
struct BrokerCheck {
    /// What the broker told.
    struct Result: Sendable {
        var findings: [Finding]
        /// The retained payloads, by topic; nil if there was no connection.
        var retained: [String: String]?
    }

    private static let timeout = Duration.seconds(5)

    let app: AppContext
    let broker: BrokerURL

    /// Connects under a client id of its own: with the bridge's id it would end the bridge's connection.
    func run() async throws -> Result {
        let dependencies = try app.bridgeDependencies(broker: broker)
        var configuration = dependencies.broker
        configuration.clientID = "printer2mqtt-doctor-\(UInt32.random(in: 0...UInt32.max))"
        configuration.connectTimeout = Self.timeout
        configuration.acknowledgeTimeout = Self.timeout
        let permissions = PermissionCheck(dependencies: dependencies, timeout: Self.timeout)
        do {
            return try await MQTTClient.withConnection(configuration) { client in
                let (retained, findings) = try await permissions.run(client)
                let accepted = Finding.ok("broker", "\(broker) accepts the connection.")
                return Result(findings: [accepted] + withheld(dependencies) + findings, retained: retained)
            }
        } catch let reason as MQTTDisconnectReason {
            let failure = BrokerFailure(
                broker: broker,
                configuration: configuration,
                reason: reason,
                hasIdentity: !app.configuration[\.mqttCertificate].isEmpty
            )
            return Result(findings: [await failure.finding()])
        } catch let error as MQTTError {
            let values = ["broker": broker.description, "error": error.message, "advice": "Look at the broker's log."]
            return Result(findings: [Finding(.brokerFailed, values)])
        }
    }

    private func withheld(_ dependencies: BridgeDependencies) -> [Finding] {
        dependencies.withholdsSecrets ? [Finding(.secretsWithheld, ["broker": broker.description])] : []
    }
}
