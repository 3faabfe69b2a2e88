import MQTT
import Printers

/// What a publisher has to know of the fleet.
struct FleetMembership: Sendable {
    let ownership: FleetOwnership
    /// All printers of the fleet, in alphabetical order.
    let printers: @Sendable () -> [PrinterID]
    let topics: Topics

    /// The messages before the client disconnects: they clear this member's topic; the last member also publishes `offline`.
    var lastMessages: [MQTTMessage?] {
        let member = MQTTMessage(on: topics.member(ownership.member), payload: [], retain: true)
        guard ownership.isLast else { return [member] }
        return [member, MQTTMessage(on: topics.bridgeAvailability, payload: "offline", retain: true)]
    }
}
