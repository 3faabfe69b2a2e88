import Testing

@testable import Bridge

@Suite struct `The session with the broker` {
    @Test func `is open once it was opened`() {
        var session = SessionState()
        let number = session.begin()
        #expect(!session.isOpen)
        let isOpened = session.open(number)
        #expect(isOpened && session.isOpen)
    }

    @Test func `is not opened after it has ended, nor does it open the next one`() {
        var session = SessionState()
        let first = session.begin()
        session.end()
        let second = session.begin()
        var isOpened = session.open(first)
        #expect(!isOpened && !session.isOpen)
        isOpened = session.open(second)
        #expect(isOpened && session.isOpen)
    }

    @Test func `is closed by its end, and at the end of the bridge`() {
        for finish: (inout SessionState) -> Void in [{ $0.end() }, { $0.close() }] {
            var session = SessionState()
            _ = session.open(session.begin())
            finish(&session)
            #expect(!session.isOpen)
        }
    }
}
