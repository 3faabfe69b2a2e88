import Testing

@testable import MQTT

@Suite struct `A message of QoS 2 that libmosquitto publishes again` {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answers: [(PacketType, UInt16, MQTTReasonCode)]
        let isReleased: Bool

        init(_ name: String, _ answers: [(PacketType, UInt16, MQTTReasonCode)], isReleased: Bool) {
            (testDescription, self.answers, self.isReleased) = (name, answers, isReleased)
        }
    }

    @Test(arguments: [
        Case("goes if the broker has not answered", [], isReleased: false),
        Case("is released instead once the broker has it", [(.pubrec, 258, .success)], isReleased: true),
        Case("goes if another was taken", [(.pubrec, 259, .success)], isReleased: false),
        Case("goes if it was refused", [(.pubrec, 258, .notAuthorized)], isReleased: false),
        Case("goes if it is complete", [(.pubrec, 258, .success), (.pubcomp, 258, .success)], isReleased: false),
        Case("goes if only a PUBACK came", [(.puback, 258, .success)], isReleased: false),
    ])
    func `is judged by what the broker said`(_ row: Case) {
        var session = OutboundSession()
        for (type, identifier, reason) in row.answers { session.answered(type, identifier, reason) }
        let release: [UInt8]? = row.isReleased ? [0x62, 2, 1, 2] : nil
        #expect(substitute(of: Packet.publish("a/b", "x", qos: 2, id: 258), in: session) == release)
        #expect(substitute(of: Packet.publish("a/b", "x", qos: 2, id: 258, dup: true), in: session) == release)
        #expect(substitute(of: Packet.publish("a/b", "x", qos: 1, id: 258), in: session) == nil)
    }

    private func substitute(of packet: [UInt8], in session: OutboundSession) -> [UInt8]? {
        packet.withUnsafeBytes { session.release(insteadOf: $0, content: 2) }
    }
}
