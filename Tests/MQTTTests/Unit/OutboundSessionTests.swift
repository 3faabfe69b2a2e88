import TestSupport
import Testing

@testable import MQTT

@Suite struct `The session of what is sent` {
    private typealias Session = OutboundSession<Int>

    private func message(_ text: String, _ qos: MQTTQoS = .exactlyOnce) -> MQTTMessage {
        MQTTMessage(topic: "t", payload: text, qos: qos)
    }

    /// The texts of what is published and the identifiers of what is released, as long as something may go.
    private func steps(of session: inout Session) -> [String] {
        var steps: [String] = []
        while let step = session.next() {
            switch step {
            case .publish(let message, _, let isRepetition):
                steps.append(message.text + (isRepetition ? " again" : ""))
            case .release(let identifier): steps.append("release \(identifier - 0x8000)")
            }
        }
        return steps
    }

    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let qos: MQTTQoS
        let answers: [(PacketType, MQTTReasonCode)]
        /// Nil: it is not answered yet.
        let reason: MQTTReasonCode?

        init(_ name: String, _ qos: MQTTQoS, _ answers: [(PacketType, MQTTReasonCode)], _ reason: MQTTReasonCode?) {
            (testDescription, self.qos, self.answers, self.reason) = (name, qos, answers, reason)
        }
    }

    private static let unknown = MQTTReasonCode(rawValue: 146)
    private static let rows = [
        Row("PUBACK settles QoS 1", .atLeastOnce, [(.puback, .success)], .success),
        Row("PUBACK tells why not", .atLeastOnce, [(.puback, .notAuthorized)], .notAuthorized),
        Row("PUBREC settles nothing", .exactlyOnce, [(.pubrec, .success)], nil),
        Row("PUBREC that refuses does", .exactlyOnce, [(.pubrec, .notAuthorized)], .notAuthorized),
        Row("PUBCOMP settles QoS 2", .exactlyOnce, [(.pubrec, .success), (.pubcomp, .success)], .success),
        Row(
            "what PUBREC said is the answer, whatever PUBCOMP says",
            .exactlyOnce,
            [(.pubrec, .noMatchingSubscribers), (.pubcomp, unknown)],
            .noMatchingSubscribers
        ),
    ]

    @Test(arguments: rows)
    private func `hears the broker's answers`(_ row: Row) throws {
        var session = Session(window: 9)
        let id = session.send(message("x", row.qos), 1, 7)
        var settled: MQTTReasonCode?
        for (type, reason) in row.answers {
            if case .settled(7, let reason) = try session.answered(type, id, reason) { settled = reason }
        }
        #expect(settled == row.reason)
        #expect(session.count == (row.reason == nil ? 1 : 0))
    }

    @Test(
        arguments: [
            (.atLeastOnce, .pubrec), (.atLeastOnce, .pubcomp), (.exactlyOnce, .puback), (.exactlyOnce, .pubcomp),
        ] as [(MQTTQoS, PacketType)]
    )
    func `takes no answer that is for another message`(qos: MQTTQoS, type: PacketType) {
        var session = Session(window: 9)
        let id = session.send(message("x", qos), 1, 7)
        #expect(throws: ProtocolViolation.self) { try session.answered(type, id, .success) }
        #expect(session.count == 1)
    }

    @Test(arguments: [PacketType.puback, .pubrec, .pubcomp])
    func `lets the broker forget a message that is not known here`(type: PacketType) throws {
        var session = Session(window: 9)
        let answer = try session.answered(type, 0x8001, .success)
        if case .unknown = answer { #expect(type == .pubrec) } else { #expect(type != .pubrec) }
    }

    @Test func `releases what the broker has, once for each connection`() throws {
        var session = Session(window: 9)
        let ids = (0..<3).map { session.send(message("\($0)"), UInt64($0), $0) }
        for id in [ids[1], ids[0], ids[1]] { _ = try session.answered(.pubrec, id, .success) }
        #expect(steps(of: &session) == ["release 2", "release 1"])
        _ = session.resume { _ in false }
        #expect(steps(of: &session) == ["release 2", "release 1", "2 again"])
    }

    @Test func `lets wait what the window has no place for, but no release`() throws {
        var session = Session(window: 9)
        let ids = (0..<6).map { session.send(message("\($0)"), UInt64($0), $0) }
        for id in ids[..<3] { _ = try session.answered(.pubrec, id, .success) }
        session.window = 2
        _ = session.resume { _ in false }
        #expect(steps(of: &session) == ["release 1", "release 2", "release 3"])
        for id in ids[..<2] { _ = try session.answered(.pubcomp, id, .success) }
        #expect(steps(of: &session) == ["3 again"])
        #expect(!session.hasRoom)
        _ = try session.answered(.pubcomp, ids[2], .success)
        _ = try session.answered(.pubrec, ids[3], .success)
        #expect(steps(of: &session) == ["release 4", "4 again"])
    }

    @Test func `does not say again what is answered meanwhile`() throws {
        var session = Session(window: 1)
        let ids = (0..<3).map { session.send(message("\($0)", .atLeastOnce), UInt64($0), $0) }
        _ = session.resume { _ in false }
        #expect(steps(of: &session) == ["0 again"])
        for id in ids[..<2] { _ = try session.answered(.puback, id, .success) }
        #expect(steps(of: &session) == ["2 again"])
    }

    @Test func `gives up what is refused by now, and has QoS 2 forgotten`() throws {
        var session = Session(window: 9)
        for (ticket, qos) in [MQTTQoS.atLeastOnce, .exactlyOnce, .exactlyOnce].enumerated() {
            _ = session.send(message("\(ticket)", qos), UInt64(ticket), ticket)
        }
        #expect(session.resume { $0.text != "2" } == [0, 1])
        #expect(steps(of: &session) == ["release 2", "2 again"])
        guard case .none = try session.answered(.pubcomp, 0x8002, .success) else { throw TestFailure("settled twice") }
        #expect(session.removeAll() == [2])
    }

    @Test func `keeps the broker's word once it has the message`() throws {
        var session = Session(window: 9)
        let id = session.send(message("x"), 1, 7)
        _ = try session.answered(.pubrec, id, .success)
        guard case .settled(7, .success) = try session.answered(.pubrec, id, .quotaExceeded) else {
            throw TestFailure("it is refused after all")
        }
    }

    @Test func `stays out of the way of who counts identifiers from 1 on`() {
        var session = Session(window: 9)
        for other: UInt16 in stride(from: 0, to: 0xfff0, by: 0x10) {
            session.avoid(other)
            let id = session.send(message("", .atLeastOnce), 1, 1)
            #expect(id > 0 && id &- other > 0x0fff, "\(id) after \(other)")
            _ = try? session.answered(.puback, id, .success)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `hears answers to many messages as fast as to few`() throws {
        var session = Session(window: .max)
        let ids = (0..<32_000).map { session.send(message("", .atLeastOnce), UInt64($0), $0) }
        session.window = 20
        _ = session.resume { _ in false }
        while session.next() != nil {}
        for id in ids {
            _ = try session.answered(.puback, id, .success)
            _ = session.next()
        }
        #expect(session.count == 0)
    }

    @Test func `has an identifier of its own for each of as many messages as there can be`() {
        var session = Session(window: .max)
        var ids: Set<UInt16> = []
        while session.hasRoom { ids.insert(session.send(message(""), UInt64(ids.count), 0)) }
        #expect(ids.count == 32_767)
        #expect(ids.allSatisfy { $0 >= 0x8000 })
    }
}
