import Foundation
import JSON
import MQTT
import Platform
import Printers

/// Tells retained commands that the broker replays from those that are published now.
///
/// On each connection the bridge publishes a message to itself, the marker, once it is subscribed. Most brokers deliver it
/// after everything that they replay. EMQX replays beside all other traffic: for some seconds after the marker, the first
/// retained command on a topic may still be a replayed one. The marker proves as well that the bridge may read commands.
struct ReplayWindow: Sendable {
    /// How long after the marker a broker may still replay.
    private static let lateness = Duration.seconds(10)

    private let instanceID: String
    private var connection: UInt64 = 0
    /// When the marker of the connection arrived; nil before.
    private var endedAt: ContinuousClock.Instant?
    /// The topics on which a retained command has come on the connection.
    private var seen: Set<MQTTTopic> = []

    init(instanceID: String = UUID().uuidString) { self.instanceID = instanceID }

    func marker(of connection: UInt64) -> JSONValue {
        .object(["instance_id": .string(instanceID), "connection": .int(Int(connection))])
    }

    /// Ends the replay if a message is the marker of its connection; later ones change nothing.
    mutating func end(with message: MQTTMessage, at now: ContinuousClock.Instant = .now) -> Bool {
        guard (try? JSONValue(json: message.payload)) == marker(of: message.connection) else { return false }
        begin(message.connection)
        endedAt = endedAt ?? now
        return true
    }

    /// Whether the broker retains or replays a command, as far as it says so.
    mutating func retention(
        of message: MQTTMessage,
        _ version: MQTTProtocolVersion,
        at now: ContinuousClock.Instant = .now
    ) -> ConfigMessage.Retention {
        // Before MQTT 5 the flag is set on replayed messages only.
        guard version == .v5 else { return message.retain ? .replayed : .unknown }
        guard message.retain else { return .none }
        begin(message.connection)
        if let endedAt, now >= endedAt + Self.lateness { return .retained }
        let isFirst = seen.insert(message.topic).inserted
        if endedAt == nil { return .replayed }
        return isFirst ? .perhapsReplayed : .retained
    }

    private mutating func begin(_ connection: UInt64) {
        guard connection != self.connection else { return }
        self.connection = connection
        endedAt = nil
        seen = []
    }
}
