import Platform
import PrinterSamples
import Testing

@testable import Cameras
@testable import Printers

@Suite struct ProbeScheduleTests {
    private var schedule = ProbeSchedule()

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

    @Test("A new printer is probed at once, and again after its interval")
    mutating func interval() {
        schedule.set("x", interval: 300, now: 10)
        #expect(schedule.nextStart == 10)
        #expect(probe(at: 10) == ["x"])
        #expect(schedule.nextStart == 310)
        #expect(probe(at: 309.9).isEmpty)
        #expect(probe(at: 310) == ["x"])
    }

    @Test("Nothing on the schedule, nothing to wait for")
    mutating func empty() {
        #expect(schedule.nextStart == nil)
        #expect(schedule.start(now: 1_000, limit: .max).isEmpty)
    }

    @Test(
        "Jitter varies the interval by a twentieth at most",
        arguments: [(-1.0, 285.0), (0, 300), (0.5, 307.5), (1, 315)]
    )
    mutating func jitter(_ jitter: Double, next: Double) {
        schedule.set("x", interval: 300, now: 0)
        _ = probe(at: 0, jitter: jitter)
        #expect(schedule.nextStart == next)
        #expect(schedule.longestDelay("x", now: 0) == 315)
    }

    @Test("One probe in flight for each printer, and not more than the limit over all")
    mutating func singleFlight() {
        for id: PrinterID in ["x", "y", "z"] { schedule.set(id, interval: 300, now: 0) }
        let first = schedule.start(now: 0, limit: 2)
        #expect(first.count == 2)
        schedule.probeSoon(first[0])
        let second = schedule.start(now: 1, limit: .max)
        #expect(second.count == 1)
        #expect(Set(first + second) == ["x", "y", "z"])
        #expect(schedule.start(now: 1_000, limit: .max).isEmpty)
        #expect(schedule.start(now: 0, limit: -1).isEmpty)
    }

    @Test("What is wanted while it is in flight is probed right after it")
    mutating func wantedInFlight() {
        schedule.set("x", interval: 300, now: 0)
        #expect(schedule.start(now: 0, limit: .max) == ["x"])
        schedule.probeSoon("x")
        schedule.finish("x", .success, now: 2, jitter: 0)
        #expect(probe(at: 2) == ["x"])
        #expect(schedule.nextStart == 302, "and once only")
    }

    @Test(
        "A first failure is looked at again after 30 seconds, or sooner when the interval is shorter",
        arguments: [(300.0, 30.0), (15, 15), (31, 30)]
    )
    mutating func secondOpinion(interval: Double, next: Double) {
        schedule.set("x", interval: interval, now: 0)
        _ = probe(.failure, at: 0)
        #expect(schedule.nextStart == next)
    }

    @Test("While it fails the delay doubles up to 15 minutes, and one success ends that")
    mutating func backOff() {
        schedule.set("x", interval: 60, now: 0)
        var delays: [Double] = []
        var now = 0.0
        for _ in 0..<9 {
            _ = probe(.failure, at: now)
            let next = schedule.nextStart ?? 0
            delays.append(next - now)
            now = next
        }
        #expect(delays == [30, 120, 240, 480, 900, 900, 900, 900, 900])
        _ = probe(.success, at: now)
        #expect(schedule.nextStart == now + 60)
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

    @Test("A printer that is heard after a silence is probed at once, and each half minute until it has started")
    mutating func heardAgain() {
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

    @Test("A printer that fails and is heard all the time keeps its back-off")
    mutating func heardAlways() {
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

    @Test("A printer that is healthy, whose code was refused, or that the gate has postponed is not hurried when heard")
    mutating func heardOtherwise() {
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

    @Test("A printer with a longer interval than 15 minutes is not probed more often because it fails")
    mutating func longInterval() {
        schedule.set("x", interval: 3_600, now: 0)
        _ = probe(.failure, at: 0)
        #expect(schedule.nextStart == 30)
        _ = probe(.failure, at: 30)
        #expect(schedule.nextStart == 3_630)
    }

    @Test("A refused access code is not hurried: no second opinion, and then the back-off")
    mutating func refused() {
        schedule.set("x", interval: 300, now: 0)
        _ = probe(.refused, at: 0)
        #expect(schedule.nextStart == 300)
        _ = probe(.refused, at: 300)
        #expect(schedule.nextStart == 900)
    }

    @Test("Of many that are due at once a few begin, the others follow at a pace, and what is wanted comes first")
    mutating func pace() throws {
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

    @Test("A change forgets the failures")
    mutating func forgetting() {
        schedule.set("x", interval: 300, now: 0)
        _ = probe(.failure, at: 0)
        _ = probe(.failure, at: 30)
        schedule.forgetFailures("x")
        schedule.probeSoon("x")
        #expect(probe(.failure, at: 40) == ["x"])
        #expect(schedule.nextStart == 70)
    }

    @Test("A shorter interval counts from now, a longer one from the next probe on")
    mutating func intervalChanges() {
        schedule.set("x", interval: 300, now: 0)
        _ = probe(at: 0)
        schedule.set("x", interval: 60, now: 100)
        #expect(schedule.nextStart == 160)
        schedule.set("x", interval: 600, now: 110)
        #expect(probe(at: 160) == ["x"])
        _ = schedule.start(now: 300, limit: .max)
        #expect(schedule.nextStart == 760)
    }

    @Test("An interval that changes in flight counts from the end of the probe")
    mutating func intervalChangesInFlight() {
        schedule.set("x", interval: 300, now: 0)
        _ = schedule.start(now: 0, limit: .max)
        schedule.set("x", interval: 60, now: 1)
        schedule.finish("x", .success, now: 5, jitter: 0)
        #expect(schedule.nextStart == 65)
    }

    @Test("A printer that is taken off is not probed, and nobody can probeSoon it")
    mutating func removal() {
        schedule.set("x", interval: 300, now: 0)
        schedule.remove("x")
        schedule.probeSoon("x")
        #expect(probe(at: 0).isEmpty)
        schedule.set("y", interval: 300, now: 0)
        _ = probe(at: 0)
        schedule.remove("y")
        schedule.probeSoon("y")
        #expect(probe(at: 1_000).isEmpty)
        #expect(schedule.nextStart == nil, "nothing is kept of it")
    }

    @Test("A printer that comes back while its probe is in flight waits for its end")
    mutating func removalInFlight() {
        schedule.set("x", interval: 300, now: 0)
        #expect(schedule.start(now: 0, limit: .max) == ["x"])
        schedule.remove("x")
        schedule.set("x", interval: 300, now: 1)
        schedule.probeSoon("x")
        #expect(schedule.start(now: 1, limit: .max).isEmpty)
        schedule.finish("x", .success, now: 2, jitter: 0)
        #expect(probe(at: 2) == ["x"])
    }

    @Test("A printer that is taken off in flight is gone when its probe has ended")
    mutating func removalForGood() {
        schedule.set("x", interval: 300, now: 0)
        _ = schedule.start(now: 0, limit: .max)
        schedule.remove("x")
        schedule.finish("x", .failure, now: 5, jitter: 0)
        #expect(probe(at: 1_000).isEmpty)
        #expect(schedule.nextStart == nil)
    }

    @Test("A request does not bring a probe forward that the gate has postponed; other settings do")
    mutating func wantedWhilePostponed() {
        schedule.set("a", interval: 300, now: 0)
        #expect(schedule.start(now: 0, limit: .max) == ["a"])
        schedule.postpone("a", until: 60, now: 0)
        for _ in 0..<100 { schedule.probeSoon("a") }
        #expect(schedule.nextStart == 60)
        schedule.forgetFailures("a")
        schedule.probeSoon("a")
        #expect(schedule.start(now: 1, limit: .max) == ["a"])
    }

    @Test("If the settings change while the gate is asked, its answer does not count: it may be about another camera")
    mutating func changedWhilePostponed() {
        schedule.set("a", interval: 300, now: 0)
        #expect(schedule.start(now: 0, limit: .max) == ["a"])
        schedule.probeSoon("a")
        schedule.postpone("a", until: 60, now: 2)
        #expect(schedule.start(now: 2, limit: .max) == ["a"])
        schedule.postpone("a", until: 60, now: 2)
        #expect(schedule.start(now: 59, limit: .max) == [])
        #expect(schedule.start(now: 60, limit: .max) == ["a"])
    }

    @Test("A state is worth showing until the next probe, also if that has to wait for the limit")
    mutating func showing() {
        schedule.set("x", interval: 15, now: 0)
        _ = probe(at: 0)
        #expect(schedule.longestDelay("x", now: 0) == 60)
    }

    @Test("A probe that connected to nothing is postponed: it counts neither as a start nor as a failure")
    mutating func postponed() {
        schedule.set("a", interval: 300, now: 0)
        for round in 0..<8 {
            let now = Double(round)
            #expect(schedule.start(now: now, limit: .max) == ["a"])
            schedule.postpone("a", until: now + 1, now: now)
            #expect(schedule.start(now: now + 0.9, limit: .max) == [])
        }
        #expect(schedule.start(now: 8, limit: .max) == ["a"])
        schedule.finish("a", .success, now: 8, jitter: 0)
        #expect(schedule.start(now: 307.9, limit: .max) == [])
        #expect(schedule.start(now: 308, limit: .max) == ["a"])
    }

    @Test("Asking again and again for a printer that waits for its turn does not send it to the end of the queue")
    mutating func queue() {
        schedule.set("x", interval: 300, now: 0)
        schedule.set("y", interval: 300, now: 1)
        schedule.probeSoon("x")
        #expect(schedule.start(now: 5, limit: 1) == ["x"])
    }
}

/// Pictures are taken by probes, so that they keep to the same limits.
@Suite struct ProbeSchedulePictureTests {
    private var schedule = ProbeSchedule()

    /// Starts what is due and finishes it at once; true for a probe that took a picture.
    private mutating func probe(_ outcome: ProbeSchedule.Outcome = .success, at now: Double) -> [Bool] {
        schedule.start(now: now, limit: .max).map { id in
            let takesPicture = schedule.takesPicture(id, now: now)
            schedule.finish(id, outcome, tookPicture: takesPicture, now: now, jitter: 0)
            return takesPicture
        }
    }

    @Test("Without an interval, probes take no pictures")
    mutating func never() {
        schedule.set("x", interval: 300, now: 0)
        schedule.setPictureInterval("x", nil, now: 0)
        #expect(probe(at: 0) == [false])
        #expect(probe(at: 300) == [false])
    }

    @Test("Pictures that are more frequent than probes replace them")
    mutating func frequent() {
        schedule.set("x", interval: 300, now: 0)
        schedule.setPictureInterval("x", 60, now: 0)
        for time in [0.0, 60, 120, 180, 240, 300, 360] {
            #expect(schedule.nextStart == time)
            #expect(probe(at: time) == [true])
        }
    }

    @Test("Pictures that are rarer than probes are taken by one of them, or in between")
    mutating func rare() {
        schedule.set("x", interval: 300, now: 0)
        schedule.setPictureInterval("x", 700, now: 0)
        #expect(probe(at: 0) == [true])
        #expect(probe(at: 300) == [false])
        #expect(probe(at: 600) == [false])
        #expect(probe(at: 700) == [true])
        #expect(probe(at: 1_000) == [false])
        #expect(probe(at: 1_300) == [false])
        #expect(probe(at: 1_400) == [true])
    }

    @Test("A picture a little early saves a connection")
    mutating func early() {
        schedule.set("x", interval: 290, now: 0)
        schedule.setPictureInterval("x", 300, now: 0)
        #expect(probe(at: 0) == [true])
        #expect(probe(at: 290) == [true])
        #expect(schedule.nextStart == 580)
    }

    @Test("A picture that was asked for is taken by the next probe, once")
    mutating func requested() {
        schedule.set("x", interval: 300, now: 0)
        #expect(probe(at: 0) == [false])
        schedule.requestPicture("x")
        #expect(probe(at: 10) == [true])
        #expect(probe(at: 310) == [false])
    }

    @Test("A picture that was asked for and failed is not tried again; one that is due is, at the pace of failures")
    mutating func failures() {
        schedule.set("x", interval: 300, now: 0)
        schedule.requestPicture("x")
        #expect(probe(.failure, at: 0) == [true])
        #expect(probe(.failure, at: 30) == [false])
        schedule.set("y", interval: 300, now: 1_000)
        schedule.remove("x")
        schedule.setPictureInterval("y", 60, now: 1_000)
        #expect(probe(.failure, at: 1_000) == [true])
        #expect(schedule.nextStart == 1_030)
        #expect(probe(.failure, at: 1_030) == [true])
        #expect(schedule.nextStart == 1_630)
    }

}
