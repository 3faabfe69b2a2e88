import Foundation
import SettingsSamples
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

private let isSoak = ProcessInfo.processInfo.environment["SOAK"] == "1"
/// How many settings or scopes there are.
private let many = isSoak ? 10_000 : 1000
/// How many bytes a large value has.
private let size = isSoak ? 10_000_000 : 200_000

@Suite("a store that holds much")
struct LargeStoreTests {

    @Test(arguments: StoreUnderTest.all)
    func `A large store keeps many scopes, and what is changed in one of them`(kind: StoreUnderTest) async throws {
        let instance = try kind.open()
        try await instance.store.transact { transaction in
            for index in 0..<many { try transaction.update("s/\(index)", ["x": .int(index)], by: "test", at: Date()) }
        }
        try await concurrently(0..<100) { try await instance.store.put("s/\($0)", ["x": "changed"]) }
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
        try await instance.store.put("a", neighbours.mapValues(Optional.some))
        try await instance.store.put("b", ["x": 1])
        try await instance.store.put("a", ["large": large])
        let again = try instance.openAgain()
        #expect(try again.record("a")?.values == neighbours.merging(["large": large]) { $1 })
        try await again.put("a", ["x": 2])
        try await instance.store.put("a", ["large": nil])
        #expect(try again.record("a")?.values == neighbours.merging(["x": 2]) { $1 })
        #expect(try again.record("b")?.values == ["x": 1])
    }
}
