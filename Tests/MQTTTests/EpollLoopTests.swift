import Synchronization
import TestSupport
import Testing

@testable import MQTT

@Suite("The event loop")
struct EpollLoopTests {
    @Test("Work handed over from any thread is done, however it falls between two sleeps")
    func noWakeUpIsLost() async throws {
        let loop = EpollLoop(label: "test")
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
        let loop = EpollLoop(label: "test")
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

    @Test("A task that prefers the thread keeps it at an await that leads nowhere else")
    func preference() async {
        func nowhere() async {}
        let loop = MQTTEventLoop(label: "test")
        let isDone = Mutex(false)
        let wasDone = await withTaskExecutorPreference(loop) {
            loop.core.submit { isDone.withLock { $0 = true } }
            await nowhere()
            return isDone.withLock(\.self)
        }
        #expect(!wasDone)
    }

    @Test("What is left for last is done after the rest, also what the rest has made")
    func last() async throws {
        let loop = EpollLoop(label: "test")
        defer { loop.stop() }
        let order = Mutex<[String]>([])
        @Sendable func note(_ name: String) { order.withLock { $0.append(name) } }
        await withCheckedContinuation { done in
            loop.submit {
                loop.submitLast {
                    note("last")
                    done.resume()
                }
                loop.submit {
                    note("first")
                    loop.submit { note("second") }
                }
            }
        }
        #expect(order.withLock { $0 } == ["first", "second", "last"])
    }

    @Test("Timers are due in order, whatever was added and removed, and share a wake-up if they may")
    func timerQueue() {
        var (queue, generator) = (TimerQueue<Int>(), SystemRandomNumberGenerator())
        let start = ContinuousClock.now
        var expected: [(due: Int, id: UInt64)] = []
        for due in (0..<500).shuffled(using: &generator) {
            expected.append((due, queue.add(.init(deadline: start + .milliseconds(due), action: due))))
        }
        for _ in 0..<300 {
            let index = expected.indices.randomElement(using: &generator) ?? 0
            queue.remove(expected.remove(at: index).id)
        }
        #expect(queue.count == 200)
        var fired: [Int] = []
        while let next = queue.next {
            while let due = queue.popDue(next, sharing: false) { fired.append(due) }
        }
        #expect(fired == expected.map(\.due).sorted())

        _ = queue.add(.init(deadline: start + .seconds(5), leeway: .seconds(1), action: 1))
        #expect(queue.popDue(start + .seconds(4.5), sharing: false) == nil)
        #expect(queue.popDue(start + .seconds(4.5), sharing: true) == 1)
    }
}
