import Testing

@testable import Relay

@Suite("What a viewer has not read")
struct BacklogTests {
    private let megabyte = 1 << 20

    @Test func `Live video beyond the limit is not admitted, and a burst does not count until it is read`() {
        var backlog = Backlog(at: 0)
        #expect(backlog.admits(megabyte, pending: 3 * megabyte))
        #expect(!backlog.admits(megabyte, pending: 4 * megabyte))
        backlog.note(written: 10 * megabyte, pending: 10 * megabyte, isBurst: true, at: 0)
        #expect(backlog.admits(megabyte, pending: 13 * megabyte))
        #expect(!backlog.admits(megabyte, pending: 14 * megabyte))
        backlog.note(written: 0, pending: 3 * megabyte, at: 1)
        #expect(!backlog.admits(megabyte, pending: 4 * megabyte))
    }

    @Test func `A viewer that lost packets gets the next key frame once it has read nearly everything`() {
        var backlog = Backlog(at: 0)
        backlog.note(written: 14 * megabyte, pending: 13 * megabyte, isBurst: true, at: 0)
        #expect(!backlog.admitsBurst(pending: 13 * megabyte))
        #expect(backlog.admitsBurst(pending: megabyte))
    }

    @Test func `A viewer that reads nothing for 30 seconds is stalled, unless it has read everything`() {
        var backlog = Backlog(at: 0)
        backlog.note(written: 100, pending: 100, at: 0)
        #expect(!backlog.isStalled(at: 29))
        #expect(backlog.isStalled(at: 30))
        backlog.note(written: 100, pending: 199, at: 29)
        #expect(!backlog.isStalled(at: 58))
        backlog.note(written: 0, pending: 0, at: 58)
        #expect(!backlog.isStalled(at: 1_000))
        backlog.note(written: 100, pending: 100, at: 1_000)
        #expect(!backlog.isStalled(at: 1_029))
    }
}
