import Settings
import Testing

@testable import Bridge

@Suite struct RequestHistoryTests {
    @Test("A request is new once under its id, for its verb and for a while")
    func newOnce() {
        var history = RequestHistory()
        func isNew(_ verb: String, id: StoredValue, at seconds: Double) -> Bool {
            history.isNew(verb, id: id, at: seconds)
        }
        #expect(isNew("restart", id: "q", at: 0))
        #expect(!isNew("restart", id: "q", at: 1))
        #expect(isNew("health", id: "q", at: 1))
        #expect(isNew("restart", id: "r", at: 1))
        #expect(isNew("restart", id: "q", at: RequestHistory.memory + 1))
    }

    @Test("One without an id is always new")
    func withoutID() {
        var history = RequestHistory()
        func isNew(_ verb: String, id: StoredValue, at seconds: Double) -> Bool {
            history.isNew(verb, id: id, at: seconds)
        }
        for _ in 0..<3 { #expect(isNew("restart", id: .null, at: 0)) }
    }

    @Test("A flood of ids does not grow it without bound, and stops no request")
    func flood() {
        var history = RequestHistory()
        func isNew(_ verb: String, id: StoredValue, at seconds: Double) -> Bool {
            history.isNew(verb, id: id, at: seconds)
        }
        for number in 0..<5_000 { #expect(isNew("health", id: .int(number), at: 0)) }
        #expect(!isNew("health", id: .int(0), at: 1))
    }
}
