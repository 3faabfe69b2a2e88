import MQTT
import Printers

/// What this bridge does for its base topic; in a fleet, several bridges share that.
struct BridgeRole: Sendable {
    var isActive: @Sendable () -> Bool
    /// The printers that `bridge/info` names; nil while another bridge publishes the bridge's own topics.
    var printers: @Sendable () async -> [PrinterID]?
    var lastMessages: @Sendable () -> [MQTTMessage?]

    static func alone(_ topics: Topics, _ registry: PrinterRegistry) -> BridgeRole {
        BridgeRole(
            isActive: { true },
            printers: { await registry.ids },
            lastMessages: { [offline(topics)] }
        )
    }

    static func member(_ topics: Topics, _ store: FleetStore) -> BridgeRole {
        let ownership = store.ownership
        return BridgeRole(
            isActive: { ownership.isActive },
            printers: { ownership.isLeader ? store.allPrinters : nil },
            lastMessages: {
                let member = MQTTMessage(on: topics.member(ownership.member), payload: [], retain: true)
                return ownership.isLast ? [member, offline(topics)] : [member]
            }
        )
    }

    private static func offline(_ topics: Topics) -> MQTTMessage? {
        MQTTMessage(on: topics.bridgeAvailability, payload: "offline", retain: true)
    }
}
