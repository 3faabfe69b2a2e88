import Settings
import Testing

@testable import Bridge

@Suite struct WishMemoriesTests {
    private var wishes = WishMemories()

    @Test("Each printer has its own memory, and one without any takes no room")
    mutating func apart() {
        wishes["x1"].keep("a")
        #expect(wishes["x1"].idle == ["a"])
        #expect(wishes["x2"].idle == [])
        wishes["x1"] = WishMemory()
        #expect(wishes == WishMemories())
    }

    @Test("What goes to disk is taken once, and only of those asked for")
    mutating func taking() {
        for id: PrinterID in ["x1", "x2", "x3"] { wishes[id].keep("of \(id)") }
        let taken: [[PrinterID: [String]]] = [
            wishes.takeIdle(of: ["x1", "x3", "x4"]), wishes.takeIdle(of: ["x1", "x2"]),
        ]
        #expect(taken == [["x1": ["of x1"], "x3": ["of x3"]], ["x2": ["of x2"]]])
    }

    @Test("On disk, marks of wishes that changed nothing come before the last that did; one who is gone has none")
    func kept() async throws {
        let store = InMemorySettingsStore()
        let registry = PrinterRegistry(over: store)
        await registry.receive("x1", #"{"id": "last", "set": {"serial": "1"}}"#)
        let revision = await registry["x1"]?.record.revision
        try await store.transact { try $0.keepIdle(["x1": ["a", "b"], "x2": ["c"]], at: .noon) }
        let record = try #require(store.record(PrinterSettings.scope(of: "x1")))
        #expect(record.applied == ["a", "b", "last"])
        #expect(record.revision == revision)
        #expect(store.record(PrinterSettings.scope(of: "x2")) == nil)
    }
}
