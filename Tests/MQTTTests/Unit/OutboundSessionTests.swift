import Testing

@testable import MQTT

@Suite struct `A message that libmosquitto publishes again` {
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
        Case("goes if the identifier is one of the broker's", [(.pubrel, 258, .success)], isReleased: false),
    ])
    func `is judged by what the broker said`(_ row: Case) {
        var session = OutboundSession()
        for (type, identifier, reason) in row.answers { session.answered(type, identifier, reason) }
        let release: [UInt8]? = row.isReleased ? [0x62, 2, 1, 2] : nil
        #expect(substitute(for: Packet.publish("a/b", "x", qos: 2, id: 258), in: session) == release)
        #expect(substitute(for: Packet.publish("a/b", "x", qos: 2, id: 258, dup: true), in: session) == release)
    }

    @Test(arguments: [1, 2] as [UInt8])
    func `is marked as a repetition until it is answered`(qos: UInt8) {
        var session = OutboundSession()
        session.connectionEnded(unanswered: [258])
        let packet = Packet.publish("a/b", "x", qos: qos, id: 258)
        let marked = Packet.publish("a/b", "x", qos: qos, id: 258, dup: true)
        #expect(substitute(for: packet, in: session) == marked)
        #expect(substitute(for: marked, in: session) == nil)
        #expect(substitute(for: Packet.publish("a/b", "x", qos: qos, id: 259), in: session) == nil)
        #expect(substitute(for: Packet.publish("a/b", "x", qos: 0), in: session) == nil)
        session.answered(.puback, 258, .success)
        #expect(substitute(for: packet, in: session) == nil)
    }

    private func substitute(for packet: [UInt8], in session: OutboundSession) -> [UInt8]? {
        packet.withUnsafeBytes { session.substitute(for: $0, content: 2) }
    }
}
