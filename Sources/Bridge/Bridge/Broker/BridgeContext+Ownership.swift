import MQTT
import Printers

/// What this bridge does for its base topic; several bridges may share that.
extension BridgeContext {
    var isActive: Bool { owned?.ownership.isActive ?? true }

    /// The printers that `bridge/info` names; nil while another bridge publishes the bridge's own topics.
    var namedPrinters: [PrinterID]? {
        guard let owned else { return registry.ids }
        return owned.ownership.isLeader ? owned.allPrinters : nil
    }

    /// The last messages of this bridge before its client disconnects: `offline` only if no other bridge is left.
    var lastMessages: [MQTTMessage] {
        let offline = MQTTMessage(on: topics.bridgeAvailability, payload: "offline", retain: true)
        guard let ownership = owned?.ownership else { return [offline].compactMap(\.self) }
        let member = MQTTMessage(on: topics.member(ownership.member), payload: [], retain: true)
        return (ownership.isLast ? [member, offline] : [member]).compactMap(\.self)
    }
}
