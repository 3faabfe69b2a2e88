import Foundation
import Settings
import TestSupport
import Testing

/// What every store must do; each test gets a new store of each kind.
@Suite("every store")
struct StoreConformanceTests {
    private struct Refused: Error {}

    private let date = Date(timeIntervalSince1970: 1_700_000_000.5)

    @discardableResult
    private func put(
        _ store: any SettingsStore,
        _ scope: String,
        _ changes: [String: StoredValue?],
        applied: String? = nil
    ) async throws -> SettingsRecord {
        try await store.transact { [date] in
            try $0.update(scope, changes, by: "test", at: date, applied: applied)
        }
    }

    @Test("is empty at first", arguments: StoreUnderTest.allCases)
    func empty(kind: StoreUnderTest) async throws {
        let opened = try kind.open()
        #expect(try opened.store.record("a") == nil)
        #expect(try opened.store.scopes(prefix: "").isEmpty)
        #expect(try opened.store.records(prefix: "").isEmpty)
        #expect(try await opened.store.records(of: ["a"]).isEmpty)
    }

    @Test("gives back every kind of value as it was, also when opened again", arguments: StoreUnderTest.allCases)
    func values(kind: StoreUnderTest) async throws {
        let opened = try kind.open()
        let values: [String: StoredValue] = [
            "null": .null,
            "bool": true,
            "int": .int(.min),
            "double": 0.1,
            "whole double": .double(5),
            "large": 1e300,
            "tiny": .double(.leastNonzeroMagnitude),
            "string": "a\0b\n\"\\é😀\u{FFFF}",
            "empty": "",
            "array": [1, [2.5, .null], "x"],
            "object": ["a": ["b": []], "": 1],
            "secret": .secret("s3cret-é"),
            "empty secret": .secret(""),
            "a key with é, ' and \"": 1,
        ]
        let record = try await put(opened.store, "a", values, applied: "m\n\"1\"")
        #expect(record.values == values)
        for store in [opened.store, try opened.openAgain()] {
            #expect(try store.record("a") == record)
            #expect(try store.records(prefix: "") == ["a": record])
            #expect(try await store.records(of: ["a", "b"]) == ["a": record])
            #expect(try await store.transact { try $0.record("a") } == record)
        }
        #expect(record.updatedAt == date)
        #expect(record.updatedBy == "test")
        #expect(record.applied == ["m\n\"1\""])
    }

    @Test("keeps its identity, and another one has another", arguments: StoreUnderTest.allCases)
    func epoch(kind: StoreUnderTest) async throws {
        let opened = try kind.open()
        let epoch = try opened.store.epoch
        #expect(epoch.count == 32)
        #expect(try opened.openAgain().epoch == epoch)
        #expect(try await opened.store.transact(\.epoch) == epoch)
        #expect(try kind.open().store.epoch != epoch)
    }

    @Test("removes values and keeps the rest", arguments: StoreUnderTest.allCases)
    func removesValues(kind: StoreUnderTest) async throws {
        let store = try kind.open().store
        try await put(store, "a", ["x": 1, "y": .secret("s"), "z": 3])
        try await put(store, "a", ["x": nil, "y": "plain"])
        #expect(try store.record("a")?.values == ["y": "plain", "z": 3])
        try await put(store, "a", ["y": .secret("again")])
        #expect(try store.record("a")?.values == ["y": .secret("again"), "z": 3])
        #expect(try store.record("a")?.revision == 3)
    }

    @Test("lists scopes by prefix, which is no pattern", arguments: StoreUnderTest.allCases)
    func prefixes(kind: StoreUnderTest) async throws {
        let store = try kind.open().store
        for scope in ["p/b", "p/a", "q/a", "p", "p%", "P/a", "é/1"] { try await put(store, scope, ["x": 1]) }
        #expect(try store.scopes(prefix: "p/") == ["p/a", "p/b"])
        #expect(try store.scopes(prefix: "p%") == ["p%"])
        #expect(try store.scopes(prefix: "é") == ["é/1"])
        #expect(try store.scopes(prefix: "").count == 7)
        #expect(try store.records(prefix: "p/").keys.sorted() == ["p/a", "p/b"])
        #expect(try await store.transact { try $0.scopes(prefix: "p/") } == ["p/a", "p/b"])
    }

    @Test("a body that throws changes nothing", arguments: StoreUnderTest.allCases)
    func rollback(kind: StoreUnderTest) async throws {
        let store = try kind.open().store
        try await put(store, "a", ["x": 1])
        await #expect(throws: Refused.self) {
            try await store.transact { [date] transaction in
                try transaction.update("a", ["x": 2], by: "test", at: date)
                try transaction.update("b", ["x": 2], by: "test", at: date)
                throw Refused()
            }
        }
        #expect(try store.record("a")?.values == ["x": 1])
        #expect(try store.record("b") == nil)
    }

    @Test("a revision never goes back, whatever is removed, renamed and made again", arguments: StoreUnderTest.allCases)
    func revisions(kind: StoreUnderTest) async throws {
        let opened = try kind.open()
        let store = opened.store
        var last = ["a": 0, "b": 0]
        for round in 0..<30 {
            let scope = round % 2 == 0 ? "a" : "b"
            switch round % 5 {
            case 0, 1, 2:
                let record = try await put(store, scope, ["x": .int(round)])
                #expect(record.revision > last[scope, default: 0])
                last[scope] = record.revision
            case 3:
                try await store.transact { try $0.remove(scope) }
                #expect(try store.record(scope) == nil)
            default:
                let other = scope == "a" ? "b" : "a"
                let renamed = try? await store.transact { [date] in
                    try $0.rename(scope, to: other, by: "test", at: date)
                }
                guard let renamed else { continue }
                #expect(renamed.revision > last[other, default: 0])
                last[other] = renamed.revision
                #expect(try store.record(scope) == nil)
                #expect(try opened.openAgain().record(other) == renamed)
            }
        }
    }

    @Test("a rename keeps secrets readable", arguments: StoreUnderTest.allCases)
    func renamedSecret(kind: StoreUnderTest) async throws {
        let opened = try kind.open()
        try await put(opened.store, "a", ["code": .secret("s")])
        try await opened.store.transact { [date] in try $0.rename("a", to: "b", by: "test", at: date) }
        #expect(try opened.openAgain().record("b")?.values == ["code": .secret("s")])
        #expect(try opened.store.record("a") == nil)
    }

    @Test("what is removed and made again in one transaction starts empty", arguments: StoreUnderTest.allCases)
    func recreated(kind: StoreUnderTest) async throws {
        let store = try kind.open().store
        try await put(store, "a", ["x": 1, "y": 2], applied: "m")
        try await store.transact { [date] transaction in
            try transaction.remove("a")
            try transaction.update("a", ["z": 3], by: "test", at: date)
        }
        let record = try #require(try store.record("a"))
        #expect(record.values == ["z": 3])
        #expect(record.applied.isEmpty)
        #expect(record.revision == 2)
        try await store.transact { [date] transaction in
            try transaction.update("new", ["z": 3], by: "test", at: date)
            try transaction.remove("new")
        }
        #expect(try store.record("new") == nil)
    }

    @Test("a thousand at once: each alone, none lost, those that throw hurt nobody", arguments: StoreUnderTest.allCases)
    func concurrent(kind: StoreUnderTest) async throws {
        let opened = try kind.open()
        let stores = [opened.store, try opened.openAgain()]
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<1000 {
                group.addTask { [date] in
                    do {
                        try await stores[index % 2].transact { transaction in
                            let count = try transaction.record("a")?.values["count"]?.intValue ?? 0
                            try transaction.update("a", ["count": .int(count + 1)], by: "test", at: date)
                            if index % 10 == 0 { throw Refused() }
                        }
                        return false
                    } catch is Refused {
                        return true
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused == 100)
        #expect(try stores[0].record("a")?.values["count"] == 900)
        #expect(try stores[1].record("a")?.revision == 900)
    }

    @Test(
        "tells everybody what was changed, also through another door, and only then",
        arguments: StoreUnderTest.allCases
    )
    func changes(kind: StoreUnderTest) async throws {
        let opened = try kind.open()
        let other = try opened.openAgain()
        try await put(opened.store, "before", ["x": 1])
        let streams = [opened.store.changes(), other.changes()]
        try await put(opened.store, "a", ["x": 1])
        try await put(opened.store, "a", ["x": 1])
        try await opened.store.transact { try $0.remove("before") }
        try await put(other, "b", ["x": 1])
        for stream in streams {
            var seen: Set<String> = []
            for await scopes in stream {
                seen.formUnion(scopes)
                if seen.isSuperset(of: ["a", "b", "before"]) { break }
            }
            #expect(seen == ["a", "b", "before"])
        }
    }

    @Test("what is told is there to be read", arguments: StoreUnderTest.allCases)
    func toldAfterDurable(kind: StoreUnderTest) async throws {
        let opened = try kind.open()
        let store = try opened.openAgain()
        let changes = store.changes()
        let reader = Task {
            var last = 0
            for await _ in changes {
                let value = try store.record("a")?.values["x"]?.intValue ?? -1
                #expect(value >= last)
                last = value
                if value == 200 { return }
            }
        }
        for value in 1...200 { try await put(opened.store, "a", ["x": .int(value)]) }
        try await reader.value
    }

    @Test("a model follows what another model stores through another door", arguments: StoreUnderTest.allCases)
    func models(kind: StoreUnderTest) async throws {
        let opened = try kind.open()
        let key = SettingsKey("level", default: 0)
        let one = SettingsBacking(scope: "m", schema: SettingsSchema(key), store: opened.store)
        let two = SettingsBacking(scope: "m", schema: SettingsSchema(key), store: try opened.openAgain())
        let reader = Task {
            for await level in two.changes(of: key) where level == 100 { return }
        }
        for level in 1...100 { one[key] = level }
        try await one.commit()
        await reader.value
        #expect(two[key] == 100)
    }
}
