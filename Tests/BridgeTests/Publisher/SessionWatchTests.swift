import MQTT
import Testing

@testable import Bridge

@Suite struct SessionWatchTests {
    @Test("A session is open once it has settled")
    func settled() {
        var session = SessionWatch()
        let number = session.begin()
        #expect(!session.isOpen)
        let isOpened = session.open(number)
        #expect(isOpened && session.isOpen)
    }

    @Test("One that ended while it settled is not opened, and does not open the next one")
    func short() {
        var session = SessionWatch()
        let first = session.begin()
        _ = session.end(.connectionLost)
        let second = session.begin()
        var isOpened = session.open(first)
        #expect(!isOpened && !session.isOpen)
        isOpened = session.open(second)
        #expect(isOpened && session.isOpen)
    }

    @Test("Ended or closed, it is open no more")
    func over() {
        for finish: (inout SessionWatch) -> Void in [{ _ = $0.end(.connectionLost) }, { $0.close() }] {
            var session = SessionWatch()
            _ = session.open(session.begin())
            finish(&session)
            #expect(!session.isOpen)
        }
    }

    @Test("That the broker is not there is told once, until it was there again; the rest the client says itself")
    func absence() {
        var session = SessionWatch()
        var told: [Bool] = []
        for code in [MQTTDisconnectReason.Code.unreachable, .timeout] { told.append(session.end(code)) }
        _ = session.begin()
        for code in [MQTTDisconnectReason.Code.connectionLost, .unreachable] { told.append(session.end(code)) }
        #expect(told == [true, false, false, true])
    }
}
