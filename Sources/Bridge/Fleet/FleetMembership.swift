import MQTT

/// What a publisher has to know of the fleet.
struct FleetMembership: Sendable {
    let ownership: FleetOwnership
    /// All printers of the fleet, in alphabetical order.
    let printers: @Sendable () -> [PrinterID]
    let topics: Topics

    /// What is said before the client disconnects: the topic of the member goes; nobody else needs to hear of it.
    var lastWords: [MQTTMessage?] { [MQTTMessage(on: topics.member(ownership.member), payload: [], retain: true)] }
}
