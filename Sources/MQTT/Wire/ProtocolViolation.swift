/// What a broker sent although MQTT does not allow it.
struct ProtocolViolation: Error, Hashable {
    /// What was wrong, for a person.
    let problem: String
    /// What we tell the broker.
    let reason: MQTTReasonCode

    static func malformed(_ problem: String) -> ProtocolViolation {
        ProtocolViolation(problem: problem, reason: .malformedPacket)
    }

    static func forbidden(_ problem: String) -> ProtocolViolation {
        ProtocolViolation(problem: problem, reason: .protocolError)
    }
}
