import Testing

@testable import StoredSettings

/// When something is exchanged, without a clock and without a remote store.
@Suite struct SyncScheduleTests {
    let start = ContinuousClock.now
    var schedule = SyncSchedule(
        names: ["a", "b"],
        options: SyncOptions(retryingAfter: .seconds(1), atMost: .seconds(10))
    )
    static let refusal = SyncError(.quotaExceeded, "does not fit")
    /// A key was changed back.
    static let insisted = SyncSchedule.Report(insisted: ["a"])

    @Test
    mutating func `Nothing happens until the remote store is reachable, and then everything is compared`() throws {
        schedule.noteLocalChange()
        schedule.hear(["a"])
        expectNothing(start)
        schedule.connect()
        let exchange = try begin(start)
        #expect(exchange.reads == ["a", "b"] && exchange.isInitial)
        expectNothing(start, "one at a time")
        _ = schedule.finish(exchange, .success(.init()), now: start)
        expectNothing(start, "nothing is left")
    }

    @Test
    mutating func `Only the keys with news are read, and any number of local changes makes one exchange`() throws {
        try connected()
        schedule.hear(["b"])
        schedule.noteLocalChange()
        schedule.noteLocalChange()
        let exchange = try begin(start)
        #expect(exchange.reads == ["b"] && !exchange.isInitial)
        schedule.hear(["a"])
        _ = schedule.finish(exchange, .success(.init()), now: start)
        #expect(try begin(start).reads == ["a"], "what came meanwhile is not lost")
    }

    @Test mutating func `After another account signs in, everything is compared with it after a pause`() throws {
        try connected()
        schedule.noteLocalChange()
        try exchange(start, .failure(SyncError(.otherAccount, "has others")))
        expectNothing(start)
        try expectComparison(start + .seconds(1))
    }

    @Test mutating func `A failure is retried after doubled pauses up to the limit, and at once on request`() throws {
        try connected()
        schedule.hear(["a"])
        var now = start
        for wait in [1, 2, 4, 8, 10, 10] {
            let reads = try exchange(now, .failure(Self.refusal)).reads
            #expect(reads == ["a"])
            #expect(schedule.obstacle != nil)
            schedule.noteLocalChange()
            #expect(schedule.nextLook == now + .seconds(wait))
            expectNothing(now + .seconds(wait) - .nanoseconds(1))
            now += .seconds(wait)
        }
        _ = schedule.request()
        try exchange(start)
        #expect(schedule.obstacle == nil && schedule.nextLook == nil)
    }

    @Test mutating func `A new connection forgives all failures`() throws {
        try connected()
        schedule.hear(["a"])
        try exchange(start, .failure(Self.refusal))
        schedule.disconnect(.offline)
        expectNothing(start + .seconds(60))
        schedule.connect()
        try expectComparison(start)
    }

    @Test mutating func `Work cut off by the end of its connection is no failure and is done in the next one`() throws {
        try connected()
        let request = schedule.request()
        let exchange = try begin(start)
        schedule.disconnect(.offline)
        schedule.connect()
        let answered = schedule.finish(exchange, .failure(Self.refusal), now: start)
        #expect(answered < request)
        #expect(schedule.obstacle == nil)
        let next = try begin(start)
        #expect(next.reads.contains("a") && next.isInitial)
        let answeredThen = schedule.finish(next, .success(.init()), now: start)
        #expect(answeredThen == request)
    }

    @Test mutating func `A refused value is held back with its key's error and is retried at its time`() throws {
        try connected()
        schedule.noteLocalChange()
        let first = try begin(start)
        let report = SyncSchedule.Report(refused: ["a": (1, Self.refusal)])
        _ = schedule.finish(first, .success(report), now: start)
        #expect(schedule.errors == ["a": Self.refusal])
        schedule.noteLocalChange()
        let second = try begin(start)
        #expect(second.refused == ["a": 1])
        _ = schedule.finish(second, .success(.init(heldBack: ["a"])), now: start)
        #expect(schedule.errors == ["a": Self.refusal])
        #expect(schedule.nextLook == start + .seconds(1), "holding it back does not put it off")
        expectNothing(start)
        let third = try begin(start + .seconds(1))
        #expect(third.refused.isEmpty)
        _ = schedule.finish(third, .success(.init()), now: start)
        #expect(schedule.errors.isEmpty && schedule.nextLook == nil)
    }

    @Test
    mutating func `A key changed back repeatedly is read less and less often, unless a caller requests it`() throws {
        try connected()
        var now = start
        for wait in [1, 2, 4] {
            schedule.hear(["a"])
            let reads = try exchange(now, .success(Self.insisted)).reads
            #expect(reads == ["a"])
            schedule.hear(["a"])
            expectNothing(now + .seconds(wait) - .milliseconds(1))
            #expect(schedule.nextLook == now + .seconds(wait))
            now += .seconds(wait)
        }
        _ = schedule.request()
        #expect(try begin(now - .milliseconds(1)).reads.count == 2)
    }

    @Test mutating func `A key that is changed back keeps no other key's news waiting`() throws {
        try connected()
        schedule.hear(["a"])
        try exchange(start, .success(Self.insisted))
        schedule.hear(["a", "b"])
        let reads = try exchange(start).reads
        #expect(reads == ["b"])
        #expect(try begin(start + .seconds(1)).reads == ["a"])
    }

    @Test mutating func `A key that was changed back long ago is listened to as in the beginning`() throws {
        try connected()
        for now in [start, start + .seconds(1), start + .seconds(3), start + .seconds(60)] {
            schedule.hear(["a"])
            try exchange(now, .success(Self.insisted))
        }
        #expect(schedule.nextLook == start + .seconds(61))
    }

    @Test(arguments: [false, true])
    mutating func `A request compares everything, also before any word of a connection`(wasConnected: Bool) throws {
        if wasConnected {
            try connected()
            schedule.disconnect(.offline)
        }
        _ = schedule.request()
        try expectComparison(start)
    }

    @Test(arguments: [true, false])
    mutating func `The error of an unfit remote value ends with a better one or with ours`(ours: Bool) throws {
        try connected()
        schedule.hear(["a"])
        try exchange(start, .success(.init(unfit: ["a": SyncError(.unacceptable, "is odd")])))
        #expect(schedule.errors["a"]?.code == .unacceptable)
        schedule.hear(["b"])
        try exchange(start)
        #expect(schedule.errors["a"] != nil)
        schedule.hear([ours ? "b" : "a"])
        try exchange(start, .success(.init(taken: ours ? ["a"] : [])))
        #expect(schedule.errors.isEmpty)
    }

    @Test mutating func `A request is answered although the remote store tells again that it is away`() throws {
        schedule.disconnect(.offline)
        let request = schedule.request()
        let exchange = try begin(start)
        schedule.disconnect(.offline)
        #expect(schedule.finish(exchange, .failure(SyncError.offline), now: start) == request)
        expectNothing(start, "the failure has a pause")
    }

    private mutating func begin(_ now: ContinuousClock.Instant) throws -> SyncSchedule.Exchange {
        let exchange = schedule.begin(now: now)
        return try #require(exchange)
    }

    /// Begins an exchange, and ends it.
    @discardableResult
    private mutating func exchange(
        _ now: ContinuousClock.Instant,
        _ result: Result<SyncSchedule.Report, any Error> = .success(.init())
    ) throws -> SyncSchedule.Exchange {
        let exchange = try begin(now)
        _ = schedule.finish(exchange, result, now: now)
        return exchange
    }

    private mutating func expectNothing(_ now: ContinuousClock.Instant, _ why: Comment? = nil) {
        let exchange = schedule.begin(now: now)
        #expect(exchange == nil, why)
    }

    private mutating func expectComparison(_ now: ContinuousClock.Instant) throws {
        let exchange = try begin(now)
        #expect(exchange.reads == ["a", "b"] && exchange.isInitial)
    }

    private mutating func connected() throws {
        schedule.connect()
        try exchange(start)
    }
}
