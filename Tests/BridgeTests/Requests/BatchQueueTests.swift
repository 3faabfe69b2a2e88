import Synchronization
import TestSupport
import Testing

@testable import Bridge

@Suite(.timeLimit(.minutes(1))) struct BatchQueueTests {
    @Test("Nothing is lost and nothing overtakes, also when the reader is slow")
    func order() async {
        let queue = BatchQueue<Int>(limit: 16)
        let seen = Recorder<Int>()
        await withTaskGroup { group in
            group.addTask { @concurrent in for number in 0..<5_000 { await queue.append(number) } }
            group.addTask { @concurrent in
                await queue.forEachBatch { batch in
                    #expect(batch.count <= 16)
                    seen.add(batch)
                    if batch.contains(where: { $0.isMultiple(of: 50) }) { await Task.yield() }
                }
            }
            try? await eventually("all are there") { seen.all.count == 5_000 }
            group.cancelAll()
        }
        #expect(seen.all == Array(0..<5_000))
    }

    @Test("What comes while a batch is worked on is the next batch")
    func batches() async throws {
        let queue = BatchQueue<Int>(limit: 100)
        let gate = AsyncStream<Void>.makeStream()
        let batches = Recorder<[Int]>()
        let reader = Task {
            await queue.forEachBatch { batch in
                batches.add([batch])
                if batch == [0] { for await _ in gate.stream { break } }
            }
        }
        defer { reader.cancel() }
        await queue.append(0)
        try await eventually("the first is worked on") { batches.all.count == 1 }
        for number in 1...3 { await queue.append(number) }
        gate.continuation.yield()
        try await eventually("the rest came") { batches.all.count == 2 }
        #expect(batches.all == [[0], [1, 2, 3]])
    }

    @Test("Finished, it hands over what it holds, and then its reader ends")
    func finishing() async {
        let queue = BatchQueue<Int>(limit: 100)
        for number in 0..<10 { await queue.append(number) }
        queue.finish()
        let seen = Recorder<Int>()
        await queue.forEachBatch { seen.add($0) }
        #expect(seen.all == Array(0..<10))
    }

    @Test("The writer waits while it is full, and goes on when there is room")
    func bounded() async throws {
        let queue = BatchQueue<Int>(limit: 3)
        let appended = Mutex(0)
        let writer = Task {
            for number in 0..<10 {
                await queue.append(number)
                appended.withLock { $0 += 1 }
            }
        }
        try await eventually("it is full") { appended.withLock { $0 } == 3 }
        for _ in 0..<100 { await Task.yield() }
        #expect(appended.withLock { $0 } == 3)
        let seen = Recorder<Int>()
        let reader = Task { await queue.forEachBatch { seen.add($0) } }
        defer { reader.cancel() }
        await writer.value
        try await eventually("all are there") { seen.all == Array(0..<10) }
    }
}
