import Foundation
import MQTT
import StoredSettings

extension BridgeDependencies {
    /// How the client connects: with a session that outlives a restart, and a will that says `offline`.
    var clientConfiguration: MQTTConfiguration {
        var configuration = broker
        // The leader's second connection stands for all bridges that share the printers, and this one for
        // the member alone.
        let will =
            if let assignment {
                MQTTMessage(
                    on: options.topics.member(assignment.ownership.member),
                    payload: #"{"status":"offline"}"#,
                    retain: true
                )
            } else {
                MQTTMessage(on: options.topics.bridgeAvailability, payload: "offline", retain: true)
            }
        // The session outlives the will's delay: a short interruption changes nothing that users see.
        configuration.will = will.map { MQTTWill(message: $0, delay: .seconds(5)) }
        configuration.cleanStart = false
        // Room for several chunks of printers and the answers to commands.
        configuration.outgoingQueueLimit = max(configuration.outgoingQueueLimit, 10_000)
        configuration.sessionExpiry = Self.sessionExpiry
        return configuration
    }

    /// How bridges that share printers connect to the sessions that they use in turn.
    var sharedConfiguration: MQTTConfiguration {
        var configuration = broker
        configuration.clientID = "\(options.topics.base)-\(assignment?.ownership.group ?? "")"
        configuration.cleanStart = false
        configuration.sessionExpiry = Self.sessionExpiry
        return configuration
    }

    /// Long enough for a restart and an upgrade: the broker keeps commands for the next run.
    private static let sessionExpiry = Duration.seconds(3_600)

    func renderContext(over store: any SettingsStore, _ runtime: RuntimeOptions) throws -> RenderContext {
        RenderContext(
            topics: options.topics,
            epoch: try store.epoch,
            version: version,
            publishesDiscovery: options.publishesDiscovery,
            pageURL: options.pageURL,
            viewerAddresses: options.viewerAddresses,
            publishesSecrets: publishesSecrets,
            publishesFlatTopics: runtime.flatTopics,
            retainsPictures: options.retainsPictures
        )
    }

    var initialInfo: BridgeInfo {
        BridgeInfo(
            version: version,
            startedAt: Date(),
            instanceID: UUID().uuidString.lowercased(),
            host: ProcessInfo.processInfo.hostName,
            broker: "\(broker.endpoint)",
            protocolVersion: broker.protocolVersion.rawValue,
            shared: assignment?.info ?? [:]
        )
    }
}
