import Synchronization
import TestSupport
import Testing

@testable import MQTT

@Suite("The event loop")
struct PollLoopTests {
    @Test("Work handed over from any thread is done, however it falls between two sleeps")
    func noWakeUpIsLost() async throws {
        let loop = PollLoop(label: "test")
        defer { loop.stop() }
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2_000 {
                        await withCheckedContinuation { done in loop.submit { done.resume() } }
                    }
                }
            }
        }
    }

    @Test("A timer fires once, a repeating one again, and one that is let go of never")
    func timers() async throws {
        let loop = PollLoop(label: "test")
        defer { loop.stop() }
        let counts = Mutex<[String: Int]>([:])
        @Sendable func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
        let once = LoopTimer(on: loop, after: .milliseconds(5)) { count("once") }
        let often = LoopTimer(on: loop, after: .milliseconds(5), repeats: true) { count("often") }
        _ = LoopTimer(on: loop, after: .milliseconds(5)) { count("never") }
        try await eventually("five rounds") { counts.withLock { $0["often", default: 0] >= 5 } }
        withExtendedLifetime((once, often)) {}
        #expect(counts.withLock { $0["once"] } == 1)
        #expect(counts.withLock { $0["never"] } == nil)
    }
}
