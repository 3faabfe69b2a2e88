import JSON
import MQTT
import Printers

extension PrinterOwnership {
    /// The messages of a slot's session that a member handles while it owns the slot.
    func scope(of slot: PrinterSlot, _ topics: Topics) -> MessageScope {
        MessageScope { message in
            let topic = message.topic.name
            if let name = topics.name(ofConfigSet: topic) {
                return topics.isMarker(message) || PrinterSlot(ofName: name) == slot
            }
            return topics.printer(ofRequest: message).map { PrinterSlot(of: $0) } == slot
        } check: {
            if !self.owns(slot) { throw SlotLost() }
        }
    }

    /// The messages of a member's own session that it handles: requests for the leader.
    func leaderScope(_ topics: Topics) -> MessageScope {
        MessageScope { self.isLeader && topics.printer(ofRequest: $0) == nil }
    }
}

extension Topics {
    /// The printer that a request is about; nil if it is about all of them.
    func printer(ofRequest message: MQTTMessage) -> PrinterID? {
        guard verb(ofRequest: message.topic.name)?.hasPrefix("printer/") == true else { return nil }
        return (try? JSONValue(json: message.payload))?.objectValue?["printer"]?.stringValue.flatMap {
            PrinterID($0)
        }
    }
}

/// This member has lost a slot: its messages that are not committed must not be acknowledged.
struct SlotLost: Error {}
