import Concurrency
import TestSupport
import Testing

@testable import Bridge

@Suite("A supervisor", .timeLimit(.minutes(5)))
struct SupervisionTests {
    @Test func `A supervisor hears nothing of a bridge that hangs`() async throws {
        let (signs, pulses) = (LockedValue(0), LockedValue(0))
        let supervision = Supervision(interval: .milliseconds(1), ready: {}, alive: { signs.value += 1 })
        let (hang, end) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await supervision.run(starts: Wakeup(), states: AsyncStream { $0.finish() }) {
                pulses.value += 1
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
}
