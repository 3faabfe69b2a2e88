import Concurrency
import PrinterSamples
import Printers
import Testing

@testable import Bridge

@Suite("The queue of films", .timeLimit(.minutes(5)))
struct FilmQueueTests {
    @Test func `The queue makes one film at a time, clips first, and restarts an interrupted timelapse`() async {
        let (queue, log) = (FilmQueue(), LockedValue<[String]>([]))
        await queue.add(timelapse: {
            log.value.append("a begins")
            if log.value.count == 1 {
                let clip: FilmQueue.Film = {
                    log.value.append("clip begins")
                    for _ in 0..<100 { await Task.yield() }
                    log.value.append("clip ends")
                }
                _ = await queue.add(clip: clip, of: "p0")
            }
            log.value.append(Task.isCancelled ? "a is cancelled" : "a ends")
        })
        await queue.add(timelapse: {
            log.value.append("b")
            for name in 0..<3 {
                guard let printer = PrinterID("p\(name)") else { continue }
                for _ in 0..<20 { _ = await queue.add(clip: { log.value.append("\(name)") }, of: printer) }
            }
            await queue.end()
        })
        await queue.add(timelapse: { log.value.append("left to the next run") })
        await queue.run()
        let films = ["a begins", "a is cancelled", "clip begins", "clip ends", "a begins", "a ends", "b"]
        // Half of the places for each printer.
        #expect(log.value == films + (0..<2).flatMap { Array(repeating: "\($0)", count: 16) })
    }
}
