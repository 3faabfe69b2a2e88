import Testing

@testable import MQTT

@Suite
struct `Messages of QoS 2 come once in a session` {
    @Test func `A message that was handed over does not come again until the broker has released it`() {
        var session = InboundSession()
        #expect(session.published(7) == true)
        #expect(session.handedOver(7) == true)
        for _ in 0..<3 {
            session.connectionEnded()
            #expect(session.published(7) == false)
        }
        session.released(7)
        #expect(session.published(7) == true)
    }

    @Test func `One that was lost on the way to its subscribers comes again on the next connection`() {
        var session = InboundSession()
        #expect(session.published(7) == true)
        session.connectionEnded()
        #expect(session.published(7) == true)
        #expect(session.handedOver(7) == true)
    }

    @Test func `One that comes twice on a connection is handed over once`() {
        var session = InboundSession()
        #expect(session.published(7) == true)
        #expect(session.published(7) == false)
        #expect(session.handedOver(7) == true)
        #expect(session.published(7) == false)
    }

    @Test func `Messages of another QoS, and identifiers that are released twice, leave no trace`() {
        var session = InboundSession()
        #expect(session.handedOver(0) == false)
        #expect(session.handedOver(7) == false)
        session.released(7)
        #expect(session.published(7) == true)
    }

    @Test func `There may be as many as there are identifiers`() {
        var session = InboundSession()
        var handedOver = 0
        for _ in 0..<2 {
            for identifier in 1...UInt16.max where session.published(identifier) {
                handedOver += session.handedOver(identifier) ? 1 : 0
            }
            session.connectionEnded()
        }
        #expect(handedOver == 65_535)
    }
}
