import Testing

@testable import MQTT

@Suite
struct `Messages of QoS 2 come once in a session` {
    @Test func `A message that was handed over does not come again until the broker has released it`() {
        var session = InboundSession()
        #expect(session.takes(7) == true)
        session.handedOver(7)
        for _ in 0..<3 {
            session.connectionEnded()
            #expect(session.takes(7, isRepetition: true) == false)
        }
        session.released(7)
        #expect(session.takes(7) == true)
    }

    @Test func `One that was lost on the way to its subscribers comes again on the next connection`() {
        var session = InboundSession()
        #expect(session.takes(7) == true)
        session.connectionEnded()
        #expect(session.takes(7, isRepetition: true) == true)
        session.handedOver(7)
    }

    @Test func `One that comes twice on a connection is handed over once`() {
        var session = InboundSession()
        #expect(session.takes(7) == true)
        #expect(session.takes(7) == false)
        session.handedOver(7)
        #expect(session.takes(7) == false)
    }

    @Test func `An identifier that was not received, and one that is released twice, leave no trace`() {
        var session = InboundSession()
        session.handedOver(7)
        session.released(7)
        #expect(session.takes(7) == true)
    }

    @Test func `There may be as many as there are identifiers`() {
        var session = InboundSession()
        var taken = 0
        for _ in 0..<2 {
            for identifier in 1...UInt16.max where session.takes(identifier) {
                session.handedOver(identifier)
                taken += 1
            }
            session.connectionEnded()
        }
        #expect(taken == 65_535)
    }

    /// mosquitto does so when a connection ends before it has written the PUBREL that is due.
    @Test func `One that was completed, and is begun anew after two connections have ended, does not come again`() {
        var session = completed()
        for _ in 0..<2 { session.connectionEnded() }
        #expect(session.takes(7, isRepetition: true) == false)
        session.connectionEnded()
        #expect(session.takes(7, isRepetition: true) == false, "its PUBREC may have been lost")
        session.released(7)
        #expect(session.takes(7) == true)
    }

    @Test(arguments: [
        (connections: 0, fingerprint: 1, isRepetition: true), (1, 1, true), (2, 2, true), (2, 1, false),
    ])
    func `Any other that reuses the identifier of one that was completed is new`(
        connections: Int,
        fingerprint: Int,
        isRepetition: Bool
    ) {
        var session = completed()
        for _ in 0..<connections { session.connectionEnded() }
        #expect(session.takes(7, fingerprint: fingerprint, isRepetition: isRepetition) == true)
    }

    @Test func `A broker that releases again has not begun anew`() {
        var session = completed()
        for _ in 0..<2 { session.connectionEnded() }
        session.released(7)
        session.connectionEnded()
        #expect(session.takes(7, isRepetition: true) == true)
    }

    @Test func `A broker that releases what was acknowledged afterwards has heard that it is completed`() {
        var session = completed()
        _ = session.takes(8)
        session.handedOver(8)
        session.released(8)
        for _ in 0..<2 { session.connectionEnded() }
        #expect(session.takes(7, isRepetition: true) == true)
        #expect(session.takes(8, isRepetition: true) == false)
    }

    /// It sends those without waiting for anything.
    @Test(arguments: [false, true])
    func `A broker that goes on to new messages may not have heard it`(isReleasedFirst: Bool) {
        var session = completed()
        if isReleasedFirst {
            // Said again on a connection on which nothing is known to have got through.
            session.connectionEnded()
            session.released(7)
        }
        _ = session.takes(8)
        session.handedOver(8)
        for _ in 0..<2 { session.connectionEnded() }
        #expect(session.takes(7, isRepetition: true) == false)
    }

    @Test func `An identifier that is used again is completed anew`() {
        var session = completed()
        for identifier: UInt16 in [8, 7] {
            _ = session.takes(identifier)
            session.handedOver(identifier)
        }
        for identifier: UInt16 in [7, 8] { session.released(identifier) }
        for _ in 0..<2 { session.connectionEnded() }
        #expect(session.takes(7, isRepetition: true) == false)
    }

    /// A session in which message 7 was received and completed.
    private func completed() -> InboundSession {
        var session = InboundSession()
        _ = session.takes(7)
        session.handedOver(7)
        session.released(7)
        return session
    }
}

extension InboundSession {
    fileprivate mutating func takes(
        _ identifier: UInt16,
        fingerprint: Int = 1,
        isRepetition: Bool = false
    ) -> Bool {
        published(identifier, fingerprint: fingerprint, isRepetition: isRepetition)
    }
}
