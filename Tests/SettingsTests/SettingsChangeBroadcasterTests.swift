import StoredSettings
import Synchronization
import TestSupport
import Testing

@Suite("SettingsChangeBroadcaster")
struct SettingsChangeBroadcasterTests {
    private let broadcaster = SettingsChangeBroadcaster()

    @Test("a slow reader gets one set with everything, each reader its own")
    func conflates() async {
        var first = broadcaster.changes().makeAsyncIterator()
        for index in 0..<10_000 { broadcaster.send(["s\(index % 10)"]) }
        var second = broadcaster.changes().makeAsyncIterator()
        broadcaster.send(["x"])
        broadcaster.send([])
        #expect(await first.next()?.scopes == Set((0..<10).map { "s\($0)" } + ["x"]))
        #expect(await second.next()?.scopes == ["x"])
    }

    @Test("what was sent is still read after the end")
    func finish() async {
        var changes = broadcaster.changes().makeAsyncIterator()
        broadcaster.send(["a"])
        broadcaster.finish()
        #expect(await changes.next()?.scopes == ["a"])
        #expect(await changes.next() == nil)
    }

    @Test("nothing is lost between many writers and a reader")
    func stress() async {
        let changes = broadcaster.changes()
        let reader = Task {
            var seen: Set<String> = []
            for await change in changes { seen.formUnion(change.scopes) }
            return seen
        }
        await withTaskGroup { group in
            for writer in 0..<8 {
                group.addTask { [broadcaster] in
                    for index in 0..<1000 { broadcaster.send(["\(writer)/\(index)"]) }
                }
            }
        }
        broadcaster.finish()
        #expect(await reader.value.count == 8000)
    }

    @Test("looks for the changes of other processes while there is a reader, and not before or after")
    func looking() async throws {
        let looks = Counter()
        #expect(!broadcaster.isLooking)
        for _ in 0..<2 {
            let before = looks.count.load(ordering: .relaxed)
            let reader = Task { [broadcaster] in
                let changes = broadcaster.changes(where: { _ in true }, lookingEvery: .milliseconds(5)) {
                    looks.count.add(1, ordering: .relaxed)
                }
                for await _ in changes {}
            }
            try await eventually("a look") { looks.count.load(ordering: .relaxed) > before }
            reader.cancel()
            try await eventually("the end") { !broadcaster.isLooking }
        }
    }

    private final class Counter: Sendable { let count = Atomic(0) }
}
