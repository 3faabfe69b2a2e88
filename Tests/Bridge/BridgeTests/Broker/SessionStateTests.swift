import Testing

@testable import Bridge

@Suite("The session with the broker")
struct SessionStateTests {
    private let start = ContinuousClock.now

    @Test func `The session opens with its connection's replay, not after its end or by an earlier one`() {
        var session = SessionState()
        session.begin(on: 1, at: start)
        session.end()
        var isOpened = session.open(on: 1)
        #expect(!isOpened && !session.isOpen)
        session.begin(on: 2, at: start)
        isOpened = session.open(on: 1)
        #expect(!isOpened && !session.isOpen)
        isOpened = session.open(on: 2)
        #expect(isOpened && session.isOpen)
    }

    @Test(arguments: [(179, false), (180, true)])
    func `The session is steady once it has lasted three minutes`(age: Int, isSteady: Bool) {
        var session = SessionState()
        session.begin(on: 1, at: start)
        #expect(!session.isSteady(at: start + .seconds(age)))
        _ = session.open(on: 1)
        #expect(session.isSteady(at: start + .seconds(age)) == isSteady)
        session.end()
        #expect(!session.isSteady(at: start + .seconds(age)))
    }

    @Test func `The session stays closed after the end of the bridge, whatever the connection does`() {
        var session = SessionState()
        session.begin(on: 1, at: start)
        session.close()
        let isOpened = session.open(on: 1)
        session.end()
        session.begin(on: 2, at: start)
        let isOpenedLater = session.open(on: 2)
        #expect(!isOpened && !isOpenedLater && !session.isOpen)
    }
}
