import Testing

@testable import Bridge

@Suite("The session with the broker")
struct SessionStateTests {
    @Test("The session is open once the replay on its connection has ended")
    func sessionOpen() {
        var session = SessionState()
        session.begin(on: 1)
        #expect(!session.isOpen)
        let isOpened = session.open(on: 1)
        #expect(isOpened && session.isOpen)
    }

    @Test("The session is not opened after it has ended, nor by the replay of an earlier connection")
    func sessionOpenedEnded() {
        var session = SessionState()
        session.begin(on: 1)
        session.end()
        var isOpened = session.open(on: 1)
        #expect(!isOpened && !session.isOpen)
        session.begin(on: 2)
        isOpened = session.open(on: 1)
        #expect(!isOpened && !session.isOpen)
        isOpened = session.open(on: 2)
        #expect(isOpened && session.isOpen)
    }

    @Test("The session stays closed after the end of the bridge, whatever the connection does")
    func sessionStays() {
        var session = SessionState()
        session.begin(on: 1)
        session.close()
        let isOpened = session.open(on: 1)
        session.end()
        session.begin(on: 2)
        let isOpenedLater = session.open(on: 2)
        #expect(!isOpened && !isOpenedLater && !session.isOpen)
    }
}
