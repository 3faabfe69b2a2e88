import Concurrency
import Testing

@Suite("Places for work") struct WorkPlacesTests {
    private actor Count {
        private var working = 0
        private(set) var most = 0
        private(set) var all = 0

        func begin() {
            working += 1
            most = max(most, working)
        }

        func end() {
            working -= 1
            all += 1
        }
    }

    @Test func `No more callers work at once than there are places, and each gets its turn`() async {
        let (places, count) = (WorkPlaces(2), Count())
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    await places.use {
                        await count.begin()
                        for _ in 0..<100 { await Task.yield() }
                        await count.end()
                    }
                }
            }
        }
        #expect(await count.all == 20)
        #expect(await count.most == 2)
    }
}
