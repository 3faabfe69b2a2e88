import Platform
import PrinterSamples
import Testing

@testable import Cameras
@testable import Printers

@Suite struct ProbeScheduleTests {
    private var schedule = ProbeSchedule()

    /// One printer, to be probed every five minutes unless a test says otherwise.
    init() { schedule.set("x", interval: 300, now: 0) }

    /// Starts what is due, and finishes the probe of `x` at once.
    private mutating func probe(
        _ outcome: ProbeSchedule.Outcome = .success,
        at now: Double,
        jitter: Double = 0
    ) -> [PrinterID] {
        let started = schedule.start(now: now, limit: .max)
        for id in started { schedule.finish(id, outcome, now: now, jitter: jitter) }
        return started
    }

    @Test mutating func `A new printer is probed at once, and again after its interval`() {
        schedule = ProbeSchedule()
        #expect(schedule.nextStart == nil && schedule.start(now: 1_000, limit: .max).isEmpty, "nothing to wait for")
        schedule.set("x", interval: 300, now: 10)
        #expect(schedule.nextStart == 10)
        #expect(probe(at: 10) == ["x"])
        #expect(schedule.nextStart == 310)
        #expect(probe(at: 309.9).isEmpty)
        #expect(probe(at: 310) == ["x"])
    }

    @Test(arguments: [(-1.0, 285.0), (0, 300), (0.5, 307.5), (1, 315)])
    mutating func `Jitter varies the interval by a twentieth at most`(_ jitter: Double, next: Double) {
        _ = probe(at: 0, jitter: jitter)
        #expect(schedule.nextStart == next)
        #expect(schedule.longestDelay("x", now: 0) == 315)
    }

    @Test mutating func `One probe in flight for each printer, and not more than the limit over all`() {
        for id: PrinterID in ["y", "z"] { schedule.set(id, interval: 300, now: 0) }
        let first = schedule.start(now: 0, limit: 2)
        #expect(first.count == 2)
        schedule.probeSoon(first[0])
        let second = schedule.start(now: 1, limit: .max)
        #expect(second.count == 1)
        #expect(Set(first + second) == ["x", "y", "z"])
        #expect(schedule.start(now: 1_000, limit: .max).isEmpty)
        #expect(schedule.start(now: 0, limit: -1).isEmpty)
    }

    @Test(
        arguments: [
            (60, [30, 120, 240, 480, 900, 900, 900, 900, 900]), (300, [30]), (15, [15]), (31, [30]),
            (3_600, [30, 3_600]),
        ] as [(Double, [Double])]
    )
    mutating func `After a failure the delay is 30 s, then doubles to 15 minutes`(interval: Double, delays: [Double]) {
        schedule.set("x", interval: interval, now: 0)
        var now = 0.0
        for delay in delays {
            _ = probe(.failure, at: now)
            #expect(schedule.nextStart == now + delay)
            now += delay
        }
        _ = probe(.success, at: now)
        #expect(schedule.nextStart == now + interval, "one success ends that")
    }

    /// Fails until the back-off is at its longest; returns the time of the last probe.
    private mutating func failLong(_ outcome: ProbeSchedule.Outcome = .failure) -> Double {
        schedule.set("x", interval: 60, now: 0)
        var now = 0.0
        for _ in 0..<8 {
            now = schedule.nextStart ?? 0
            _ = probe(outcome, at: now)
        }
        return now
    }

    @Test mutating func `A printer heard after a silence is probed at once, then each half minute until started`() {
        let last = failLong()
        #expect(schedule.nextStart == last + 900)
        var probes: [Double] = []
        var now = last + 200
        // It announces itself every three seconds.
        while now < last + 200 + 900 {
            schedule.heard("x", now: now)
            if !probe(.failure, at: now).isEmpty { probes.append(now - last) }
            now += 3
        }
        #expect(probes == [200, 230, 260, 290, 320, 350, 380, 410, 440, 470, 500], "then the back-off again")
    }

    @Test mutating func `A printer that fails and is heard all the time keeps its back-off`() {
        schedule.set("x", interval: 60, now: 0)
        var probes: [Double] = []
        for now in stride(from: 0.0, to: 6_000, by: 3) {
            schedule.heard("x", now: now)
            if !probe(.failure, at: now).isEmpty { probes.append(now) }
        }
        let late = probes.filter { $0 >= ProbeSchedule.startUp + 60 }
        #expect(late.count >= 5)
        for (first, second) in zip(late, late.dropFirst()) { #expect(second - first >= 900) }
    }

    @Test mutating func `Being heard hurries no printer that is healthy, was postponed or refused the code`() {
        let refused = failLong(.refused)
        schedule.heard("x", now: refused + 100)
        #expect(schedule.nextStart == refused + 900)
        _ = probe(at: refused + 900)
        schedule.heard("x", now: refused + 950)
        #expect(schedule.nextStart == refused + 960, "healthy")
        _ = probe(.failure, at: refused + 960)
        #expect(schedule.start(now: refused + 990, limit: .max) == ["x"])
        schedule.postpone("x", until: refused + 1_050, now: refused + 990)
        schedule.heard("x", now: refused + 1_020)
        #expect(schedule.nextStart == refused + 1_050, "postponed")
        schedule.heard("unknown", now: 0)
    }

    @Test mutating func `A refused access code is not hurried: no second opinion, and then the back-off`() {
        _ = probe(.refused, at: 0)
        #expect(schedule.nextStart == 300)
        _ = probe(.refused, at: 300)
        #expect(schedule.nextStart == 900)
    }

    @Test
    mutating func `Of many due probes a few start, the rest follow at a pace, and requested ones go first`() throws {
        var schedule = ProbeSchedule(pace: RateLimit(burst: 10, perSecond: 5))
        let ids = (0..<100).compactMap { PrinterID("\($0)") }
        for id in ids { schedule.set(id, interval: 300, now: 0) }
        var started = schedule.start(now: 0, limit: .max)
        #expect(started.count == 10)
        #expect(schedule.nextStart == 0.2)
        let waiting = try #require(ids.first { !started.contains($0) })
        schedule.probeSoon(waiting)
        #expect(schedule.start(now: 0.2, limit: .max) == [waiting])
        started.append(waiting)
        var now = 0.2
        while let next = schedule.nextStart, started.count < 100 {
            now = next
            started += schedule.start(now: now, limit: .max)
        }
        #expect(Set(started).count == 100)
        #expect(abs(now - 18) < 0.001, "90 more at five a second")
    }

    @Test mutating func `A change forgets the failures`() {
        _ = probe(.failure, at: 0)
        _ = probe(.failure, at: 30)
        schedule.forgetFailures("x")
        schedule.probeSoon("x")
        #expect(probe(.failure, at: 40) == ["x"])
        #expect(schedule.nextStart == 70)
    }

    @Test mutating func `A shorter interval counts from now, a longer one from the next probe on`() {
        _ = probe(at: 0)
        schedule.set("x", interval: 60, now: 100)
        #expect(schedule.nextStart == 160)
        schedule.set("x", interval: 600, now: 110)
        #expect(probe(at: 160) == ["x"])
        _ = schedule.start(now: 300, limit: .max)
        #expect(schedule.nextStart == 760)
    }

    @Test mutating func `An interval that changes in flight counts from the end of the probe`() {
        _ = schedule.start(now: 0, limit: .max)
        schedule.set("x", interval: 60, now: 1)
        schedule.finish("x", .success, now: 5, jitter: 0)
        #expect(schedule.nextStart == 65)
    }

    @Test(arguments: [nil, false, true])
    mutating func `A printer that is taken off is not probed, whatever asks or ends later`(isInFlight: Bool?) {
        if isInFlight != nil { #expect(schedule.start(now: 0, limit: .max) == ["x"]) }
        if isInFlight == false { schedule.finish("x", .success, now: 0, jitter: 0) }
        schedule.remove("x")
        schedule.probeSoon("x")
        if isInFlight == true { schedule.finish("x", .failure, now: 5, jitter: 0) }
        #expect(probe(at: 1_000).isEmpty)
        #expect(schedule.nextStart == nil, "nothing is kept of it")
    }

    @Test mutating func `A printer that comes back while its probe is in flight waits for its end`() {
        #expect(schedule.start(now: 0, limit: .max) == ["x"])
        schedule.remove("x")
        schedule.set("x", interval: 300, now: 1)
        schedule.probeSoon("x")
        #expect(schedule.start(now: 1, limit: .max).isEmpty)
        schedule.finish("x", .success, now: 2, jitter: 0)
        #expect(probe(at: 2) == ["x"])
    }

    @Test mutating func `A request does not hurry a probe that the gate has postponed, but new settings do`() {
        #expect(schedule.start(now: 0, limit: .max) == ["x"])
        schedule.postpone("x", until: 60, now: 0)
        for _ in 0..<100 { schedule.probeSoon("x") }
        #expect(schedule.nextStart == 60)
        schedule.forgetFailures("x")
        schedule.probeSoon("x")
        #expect(schedule.start(now: 1, limit: .max) == ["x"])
    }

    @Test mutating func `If settings change while the gate is asked, its answer for the old camera is ignored`() {
        #expect(schedule.start(now: 0, limit: .max) == ["x"])
        schedule.probeSoon("x")
        schedule.postpone("x", until: 60, now: 2)
        #expect(schedule.start(now: 2, limit: .max) == ["x"])
        schedule.postpone("x", until: 60, now: 2)
        #expect(schedule.start(now: 59, limit: .max) == [])
        #expect(schedule.start(now: 60, limit: .max) == ["x"])
    }

    @Test mutating func `A state is worth showing until the next probe, also if that has to wait for the limit`() {
        schedule.set("x", interval: 15, now: 0)
        _ = probe(at: 0)
        #expect(schedule.longestDelay("x", now: 0) == 60)
    }

    @Test mutating func `A probe without a connection is postponed and counts neither as start nor as failure`() {
        for round in 0..<8 {
            let now = Double(round)
            #expect(schedule.start(now: now, limit: .max) == ["x"])
            schedule.postpone("x", until: now + 1, now: now)
            #expect(schedule.start(now: now + 0.9, limit: .max) == [])
        }
        #expect(schedule.start(now: 8, limit: .max) == ["x"])
        schedule.finish("x", .success, now: 8, jitter: 0)
        #expect(schedule.start(now: 307.9, limit: .max) == [])
        #expect(schedule.start(now: 308, limit: .max) == ["x"])
    }

    @Test mutating func `Repeated requests for a waiting printer do not move it to the end of the queue`() {
        schedule.set("y", interval: 300, now: 1)
        schedule.probeSoon("x")
        #expect(schedule.start(now: 5, limit: 1) == ["x"])
    }

    // MARK: Pictures, which probes take, so that they keep to the same limits

    /// Starts what is due and finishes it at once; true for a probe that took a picture.
    private mutating func pictures(_ outcome: ProbeSchedule.Outcome = .success, at now: Double) -> [Bool] {
        schedule.start(now: now, limit: .max).map { id in
            let takesPicture = schedule.takesPicture(id, now: now)
            schedule.finish(id, outcome, tookPicture: takesPicture, now: now, jitter: 0)
            return takesPicture
        }
    }

    @Test(
        arguments: [
            (300, nil, [(0, false), (300, false)]),
            (300, 60, [(0, true), (60, true), (120, true), (180, true), (240, true), (300, true), (360, true)]),
            // Rarer than probes: by one of them, or in between.
            (
                300, 700,
                [(0, true), (300, false), (600, false), (700, true), (1_000, false), (1_300, false), (1_400, true)]
            ),
            // A little early, which saves a connection.
            (290, 300, [(0, true), (290, true), (580, true)]),
        ] as [(Double, Double?, [(Double, Bool)])]
    )
    mutating func `Pictures are taken by probes, or replace them where they are more frequent`(
        interval: Double,
        pictureInterval: Double?,
        expected: [(time: Double, isPicture: Bool)]
    ) {
        schedule.set("x", interval: interval, now: 0)
        schedule.setPictureInterval("x", pictureInterval, now: 0)
        for (time, isPicture) in expected {
            #expect(schedule.nextStart == time)
            #expect(pictures(at: time) == [isPicture])
        }
    }

    @Test mutating func `A requested picture that fails is not retried; a due one is, at the pace of failures`() {
        schedule.probeSoon("x", takesPicture: true)
        #expect(pictures(.failure, at: 0) == [true])
        #expect(pictures(.failure, at: 30) == [false])
        schedule.set("y", interval: 300, now: 1_000)
        schedule.remove("x")
        schedule.setPictureInterval("y", 60, now: 1_000)
        #expect(pictures(.failure, at: 1_000) == [true])
        #expect(schedule.nextStart == 1_030)
        #expect(pictures(.failure, at: 1_030) == [true])
        #expect(schedule.nextStart == 1_630)
    }
}
