import Foundation
import MQTT
import StoredSettings

/// Tells retained commands that the broker replays from those that are published now.
///
/// On each connection the bridge publishes a message to itself, which the broker delivers after everything it replays. It
/// proves as well that the bridge may read commands.
struct ReplayWindow: Sendable {
    private let instanceID: String
    private var connection: UInt64 = 0
    private var isOver = false

    init(instanceID: String = UUID().uuidString) { self.instanceID = instanceID }

    /// The message that ends the replay on a connection.
    func marker(of connection: UInt64) -> SettingValue {
        .object(["instance_id": .string(instanceID), "connection": .int(Int(connection))])
    }

    /// Takes up a message on the marker's topic; whether it was the marker of its connection.
    mutating func end(with message: MQTTMessage) -> Bool {
        guard (try? SettingValue(json: message.payload)) == marker(of: message.connection) else { return false }
        (connection, isOver) = (message.connection, true)
        return true
    }

    /// What the broker does with a command, as far as it tells.
    func retention(of message: MQTTMessage, _ version: MQTTProtocolVersion) -> ConfigMessage.Retention {
        // Before MQTT 5 the flag is set on replayed messages only.
        guard version == .v5 else { return message.retain ? .replayed : .unknown }
        guard message.retain else { return .none }
        return isOver && message.connection == connection ? .retained : .replayed
    }
}
