import Concurrency
import StoredSettings
import Synchronization
import TestSupport
import Testing

@testable import Bridge

@Suite("A supervisor", .timeLimit(.minutes(1)))
struct SupervisionTests {
    private final class Count: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock(\.self) }
        func add() { number.withLock { $0 += 1 } }
    }

    @Test func `A supervisor hears nothing of a bridge that hangs`() async throws {
        let (signs, pulses) = (Count(), Count())
        let supervision = Supervision(interval: .milliseconds(1), ready: {}, alive: { signs.add() })
        let (hang, end) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await supervision.run(starts: Wakeup(), states: AsyncStream { $0.finish() }) {
                pulses.add()
                // The third time, a part of the bridge does not answer.
                if pulses.value == 3 { for await _ in hang { return } }
            }
        }
        try await eventually("the bridge hangs") { pulses.value == 3 }
        #expect(signs.value == 2)
        end.yield()
        try await eventually("the bridge goes on") { signs.value > 5 }
        task.cancel()
        await task.value
    }

    @Test func `A supervisor is told once that the bridge is ready, and each state`() async throws {
        let ready = Count()
        let states = Mutex<[String]>([])
        let supervision = Supervision(
            ready: { ready.add() },
            report: { state in states.withLock { $0.append(state) } }
        )
        let starts = Wakeup()
        for _ in 0..<3 { starts.signal() }
        let told = AsyncStream {
            $0.yield("a")
            $0.yield("b")
            $0.finish()
        }
        await supervision.run(starts: starts, states: told) {}
        #expect(ready.value == 1 && states.withLock(\.self) == ["a", "b"])
    }
}
