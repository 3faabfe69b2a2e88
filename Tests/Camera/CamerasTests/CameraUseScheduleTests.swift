import StoredSettings
import TestSupport
import Testing

@testable import Cameras
@testable import Printers

/// A camera that permits one connection, a gate, and people who do anything at any time; time is virtual.
private struct World {
    private enum Work {
        case probe(ends: Double)
        /// Connected until it fails or is ended; `fails` is when, if the camera does not come back.
        case feed(nextFrame: Double?, fails: Double)
        case endingFeed(ends: Double)
    }

    private let key: Set<CameraKey> = [CameraKey(address: "192.0.2.7", port: 6_000)]
    private let clock = LockedValue(1_000.0)
    private let gate: CameraGate
    private var generator: SeededGenerator
    private var use = CameraUse()
    private var lease: CameraLease?
    private var work: Work?
    private var viewers = 0
    private var isUp = true
    private var monitorDue = 0.0
    /// Since when a probe is due that has no answer.
    private var dueSince: Double?
    private var isAsking = false
    private var isChanging = false
    private(set) var starts: [Double] = []
    private(set) var longestWait = 0.0
    private(set) var answers = 0
    private(set) var faults: [String] = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        gate = CameraGate(DoorFile { [clock] in clock.value })
    }

    private var now: Double { clock.value }

    private mutating func handle(_ event: CameraUse.Event) {
        for action in use.handle(event, at: now) { perform(action) }
    }

    private mutating func perform(_ action: CameraUse.Action) {
        switch action {
        case .startProbe:
            if viewers > 0 { faults.append("a probe connects beside viewers at \(now)") }
            guard let wait = connect() else {
                work = .probe(ends: now + .random(in: 0.1...(isUp ? 2 : 20), using: &generator))
                return
            }
            // The service postpones it, as long as the gate says.
            isAsking = false
            monitorDue = now + wait.seconds
            handle(.probeEnded)
        case .startFeed:
            if let wait = connect() { return handle(.feedRefused(seconds: wait.seconds)) }
            let isReached = isUp
            work = .feed(
                nextFrame: isReached ? now + .random(in: 0.1...3, using: &generator) : nil,
                fails: isReached ? .infinity : now + .random(in: 0.1...20, using: &generator)
            )
        case .endFeed:
            if viewers > 0, !isChanging { faults.append("viewers were cut off at \(now)") }
            work = .endingFeed(ends: now + .random(in: 0...1, using: &generator))
        case .answerProbe, .cancelProbe: answerProbe()
        case .askForProbe: monitorDue = min(monitorDue, now)
        }
    }

    /// Connects, unless the gate says to wait.
    private mutating func connect() -> CameraWait? {
        if work != nil { faults.append("a second connection at \(now)") }
        switch gate.lease(key) {
        case .wait(let wait):
            if wait.reason == .busy { faults.append("a second lease at \(now)") }
            return wait
        case .granted(let granted):
            lease = granted
            starts.append(now)
            return nil
        }
    }

    private mutating func disconnect() {
        work = nil
        lease?.end()
        lease = nil
    }

    private mutating func answerProbe() {
        if let dueSince { longestWait = max(longestWait, now - dueSince) }
        dueSince = nil
        isAsking = false
        answers += 1
        monitorDue = now + 15
    }

    mutating func run(until end: Double) {
        while now < end {
            clock.value += 0.2
            if now >= monitorDue, !isAsking {
                isAsking = true
                dueSince = dueSince ?? now
                handle(.probeDue(takesPicture: Bool.random(using: &generator)))
            }
            advance()
            if use.nextTime(after: now - 0.2).map({ $0 <= now }) == true { handle(.time) }
            if Int.random(in: 0..<30, using: &generator) == 0 { meddle() }
        }
    }

    private mutating func advance() {
        switch work {
        case .probe(let ends) where now >= ends:
            disconnect()
            answerProbe()
            handle(.probeEnded)
        case .feed(let next?, let fails) where now >= next && isUp:
            work = .feed(nextFrame: now + 1, fails: fails)
            handle(.frame)
        case .feed(let next?, _) where !isUp && now >= next + 10: fail()
        case .feed(nextFrame: nil, let fails) where now >= fails: fail()
        case .endingFeed(let ends) where now >= ends:
            disconnect()
            handle(.feedEnded)
        default: break
        }
    }

    private mutating func fail() {
        disconnect()
        handle(.feedFailed(""))
    }

    private mutating func meddle() {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...2: viewers += 1
        case 3...5: viewers = max(0, viewers - 1)
        case 6: viewers = 0
        case 7: isUp.toggle()
        case 8: return monitorDue = now
        default:
            isChanging = true
            handle(.settingsChanged)
            isChanging = false
            return
        }
        handle(.viewers(viewers))
    }
}

@Suite struct CameraUseScheduleTests {
    /// The minute of the limits: this camera has a picture each second.
    private static let longestWait = 61.0

    @Test func `Random schedules keep the connection limits, cut off no viewer and starve no probe`() {
        for seed in 0..<1_000 {
            var world = World(seed: UInt64(seed))
            world.run(until: 1_000 + 300)
            #expect(world.faults == [], "seed \(seed)")
            #expect(world.longestWait < Self.longestWait, "seed \(seed)")
            #expect(world.answers > 3, "seed \(seed)")
            let minutes = zip(world.starts, world.starts.dropFirst(4)).map { $1 - $0 }
            #expect(minutes.allSatisfy { $0 > 59.9 }, "seed \(seed)")
        }
    }
}
