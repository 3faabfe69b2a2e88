import Foundation
import SettingsTesting
import StoredSettings
import Testing

private let isSoak = ProcessInfo.processInfo.environment["SOAK"] == "1"
/// How many settings or scopes there are.
private let many = isSoak ? 10_000 : 1000
/// How many bytes a large value has.
private let size = isSoak ? 10_000_000 : 200_000

@Suite("a store that holds much")
struct LargeStoreTests {
    private func put(
        _ scope: String,
        _ changes: [String: JSONValue?],
        into store: any SettingsStore
    ) async throws {
        try await store.transact { try $0.update(scope, changes, by: "test", at: Date()) }
    }

    @Test(arguments: StoreUnderTest.all)
    func `A large store keeps many settings of one scope, and what is changed among them`(kind: StoreUnderTest)
        async throws
    {
        let instance = try kind.open()
        var values: [String: JSONValue] = [:]
        for index in 0..<many { values["key \(index)"] = .int(index) }
        try await put("a", values.mapValues(Optional.some), into: instance.store)
        try await put("a", ["key 500": "changed", "key 0": nil], into: instance.store)
        values["key 500"] = "changed"
        values["key 0"] = nil
        #expect(try instance.openAgain().record("a")?.values == values)
        #expect(try instance.store.record("a")?.values == values)
    }

    @Test(arguments: StoreUnderTest.all)
    func `A large store keeps many scopes, and what is changed in one of them`(kind: StoreUnderTest) async throws {
        let instance = try kind.open()
        try await instance.store.transact { transaction in
            for index in 0..<many { try transaction.update("s/\(index)", ["x": .int(index)], by: "test", at: Date()) }
        }
        try await withThrowingTaskGroup { group in
            for index in 0..<100 {
                group.addTask { try await put("s/\(index)", ["x": "changed"], into: instance.store) }
            }
            try await group.waitForAll()
        }
        let records = try instance.openAgain().records(prefix: "s/")
        #expect(records.count == many)
        for index in 0..<many {
            #expect(records["s/\(index)"]?.values["x"] == (index < 100 ? "changed" : .int(index)))
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func `A large store keeps a large value, and its neighbours`(kind: StoreUnderTest) async throws {
        let instance = try kind.open()
        let text = String(repeating: "0123456789é\"\\\n?", count: size / 16)
        let large = JSONValue.string(text)
        let neighbours: [String: JSONValue] = ["x": 1, "code": .secret("s")]
        try await put("a", neighbours.mapValues(Optional.some), into: instance.store)
        try await put("b", ["x": 1], into: instance.store)
        try await put("a", ["large": large], into: instance.store)
        let again = try instance.openAgain()
        #expect(try again.record("a")?.values == neighbours.merging(["large": large]) { $1 })
        try await put("a", ["x": 2], into: again)
        try await put("a", ["large": nil], into: instance.store)
        #expect(try again.record("a")?.values == neighbours.merging(["x": 2]) { $1 })
        #expect(try again.record("b")?.values == ["x": 1])
    }
}
