import Concurrency
import Testing

@testable import Bridge

@Suite("The queue of films", .timeLimit(.minutes(5)))
struct FilmQueueTests {
    @Test func `The queue makes one film at a time, clips first, and restarts an interrupted timelapse`() async {
        let (queue, log) = (FilmQueue(), LockedValue<[String]>([]))
        await queue.add(timelapse: {
            log.value.append("a begins")
            if log.value.count == 1 {
                _ = await queue.add(clip: {
                    log.value.append("clip begins")
                    for _ in 0..<100 { await Task.yield() }
                    log.value.append("clip ends")
                })
            }
            log.value.append(Task.isCancelled ? "a is cancelled" : "a ends")
        })
        await queue.add(timelapse: {
            log.value.append("b")
            while await queue.add(clip: { log.value.append("a last clip") }) {}
            await queue.end()
        })
        await queue.add(timelapse: { log.value.append("left to the next run") })
        await queue.run()
        let films = ["a begins", "a is cancelled", "clip begins", "clip ends", "a begins", "a ends", "b"]
        #expect(log.value == films + Array(repeating: "a last clip", count: 32))
    }
}
