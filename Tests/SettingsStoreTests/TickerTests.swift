import Settings
import Synchronization
import TestSupport
import Testing

@Suite("A ticker")
struct TickerTests {
    @Test("ticks while it is needed, and not before or after")
    func needed() async throws {
        let (isNeeded, ticks) = (Needed(), Needed())
        let ticker = Ticker(every: .milliseconds(5), while: { isNeeded.count.load(ordering: .relaxed) > 0 }) {
            ticks.count.add(1, ordering: .relaxed)
        }
        #expect(!ticker.isTicking)
        for _ in 0..<2 {
            let before = ticks.count.load(ordering: .relaxed)
            isNeeded.count.store(1, ordering: .relaxed)
            ticker.start()
            try await eventually("a tick") { ticks.count.load(ordering: .relaxed) > before }
            isNeeded.count.store(0, ordering: .relaxed)
            try await eventually("the end") { !ticker.isTicking }
        }
    }

    private final class Needed: Sendable { let count = Atomic(0) }
}
