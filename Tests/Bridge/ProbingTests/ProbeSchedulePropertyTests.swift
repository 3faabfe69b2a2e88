import PrinterSamples
import TestSupport
import Testing

@testable import Printers
@testable import Probing

@Suite struct ProbeSchedulePropertyTests {
    /// What anybody may do to a schedule, in any order.
    private struct Chaos {
        let ids: [PrinterID] = ["a", "b", "c"]
        var generator: SeededGenerator
        var schedule = ProbeSchedule()
        var now = 0.0
        var inFlight: Set<PrinterID> = []
        var listed: Set<PrinterID> = []
        var starts: [String: [Double]] = [:]
        /// By printer, as configured.
        var cameras: [PrinterID: String] = [:]
        /// By printer, as being probed.
        var busy: [PrinterID: String] = [:]

        mutating func step() {
            now += Double.random(in: 0...4, using: &generator)
            let id = ids[Int.random(in: 0..<ids.count, using: &generator)]
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                let camera = ["c", "d"].randomElement(using: &generator)
                cameras[id] = camera
                let interval = Double(Int.random(in: 15...120, using: &generator))
                schedule.set(id, camera: camera ?? "", interval: interval, now: now)
                listed.insert(id)
            case 1:
                schedule.remove(id)
                listed.remove(id)
            case 2: schedule.forgetFailures(id)
            case 3...5: schedule.probeSoon(id)
            default:
                guard inFlight.remove(id) != nil else { break }
                busy[id] = nil
                let outcomes: [ProbeSchedule.Outcome] = [.success, .failure, .refused]
                let outcome = outcomes[Int.random(in: 0..<3, using: &generator)]
                schedule.finish(id, outcome, now: now, jitter: .random(in: -1...1, using: &generator))
            }
        }

        mutating func start() -> [PrinterID] {
            let started = schedule.start(now: now, limit: Int.random(in: 0...3, using: &generator))
            for id in started {
                let camera = cameras[id] ?? ""
                #expect(!busy.values.contains(camera), "\(camera) was in flight already")
                busy[id] = camera
                starts[camera, default: []].append(now)
            }
            return started
        }
    }

    @Test("Whatever is done to it: single flight, four a minute, nobody forgotten", arguments: 0..<60)
    func limits(seed: Int) {
        var chaos = Chaos(generator: SeededGenerator(seed: UInt64(seed)))
        for _ in 0..<2_000 {
            chaos.step()
            for id in chaos.start() {
                #expect(chaos.inFlight.insert(id).inserted, "\(id) was in flight already")
                #expect(chaos.listed.contains(id), "\(id) is off the schedule")
            }
        }
        for (id, starts) in chaos.starts {
            for (first, fifth) in zip(starts, starts.dropFirst(4)) {
                #expect(fifth - first >= 60, "\(id) at \(starts)")
            }
        }
        // Once it is left alone, everybody on it comes round within the longest delay.
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
