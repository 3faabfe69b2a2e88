import PrinterSamples
import TestSupport
import Testing

@testable import Cameras
@testable import Printers

@Suite struct ProbeSchedulePropertyTests {
    /// What anybody may do to a schedule, in any order.
    private struct Chaos {
        let ids: [PrinterID] = ["a", "b", "c"]
        var generator: SeededGenerator
        var schedule = ProbeSchedule()
        var now = 0.0
        var inFlight: Set<PrinterID> = []
        var listed: Set<PrinterID> = []

        mutating func step() {
            now += Double.random(in: 0...4, using: &generator)
            let id = ids[Int.random(in: 0..<ids.count, using: &generator)]
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                let interval = Double(Int.random(in: 15...120, using: &generator))
                schedule.set(id, interval: interval, now: now)
                listed.insert(id)
            case 1:
                schedule.remove(id)
                listed.remove(id)
            case 2: schedule.forgetFailures(id)
            case 3...5: schedule.probeSoon(id)
            default:
                guard inFlight.remove(id) != nil else { break }
                if Bool.random(using: &generator) {
                    schedule.postpone(id, until: now + .random(in: 0...60, using: &generator), now: now)
                    break
                }
                let outcomes: [ProbeSchedule.Outcome] = [.success, .failure, .refused]
                let outcome = outcomes[Int.random(in: 0..<3, using: &generator)]
                schedule.finish(id, outcome, now: now, jitter: .random(in: -1...1, using: &generator))
            }
        }

        mutating func start() -> [PrinterID] {
            schedule.start(now: now, limit: Int.random(in: 0...3, using: &generator))
        }
    }

    @Test("Whatever is done to it: single flight, and no printer is forgotten", arguments: 0..<60)
    func limits(seed: Int) {
        var chaos = Chaos(generator: SeededGenerator(seed: UInt64(seed)))
        for _ in 0..<2_000 {
            chaos.step()
            for id in chaos.start() {
                #expect(chaos.inFlight.insert(id).inserted, "\(id) was in flight already")
                #expect(chaos.listed.contains(id), "\(id) is off the schedule")
            }
        }
        // Once it is left alone, each printer on it is probed within the longest delay.
        for id in chaos.inFlight { chaos.schedule.finish(id, .success, now: chaos.now, jitter: 0) }
        var (later, now) = (Set<PrinterID>(), chaos.now + 1_000)
        while now < chaos.now + 2_000 {
            for id in chaos.schedule.start(now: now, limit: .max) {
                later.insert(id)
                chaos.schedule.finish(id, .success, now: now, jitter: 0)
            }
            now += 1
        }
        #expect(later == chaos.listed)
    }
}
