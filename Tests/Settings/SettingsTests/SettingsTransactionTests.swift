import Foundation
import StoredSettings
import Testing

@Suite("SettingsTransaction")
struct SettingsTransactionTests {
    private struct Reader: SettingsReader {
        var epoch = "e"
        var records: [String: SettingsRecord] = [:]
        var removed: [String: Int] = [:]

        func scopes(prefix: String) -> [String] { records.keys.filter { $0.hasPrefix(prefix) }.sorted() }
        func record(_ scope: String) -> SettingsRecord? { records[scope] }
        func removedRevision(_ scope: String) -> Int { removed[scope] ?? 0 }
    }

    private let now = Date(timeIntervalSince1970: 1_700_000_000.1234)
    private var reader = Reader()

    init() {
        reader.records["a"] = SettingsRecord(
            values: ["x": 1, "y": "b"],
            revision: 5,
            updatedAt: Date(timeIntervalSince1970: 0),
            updatedBy: "old"
        )
        reader.removed["gone"] = 9
    }

    @Test func `A real change counts one revision, and says who and when`() throws {
        var transaction = SettingsTransaction(over: reader)
        let record = try transaction.update("a", ["x": 2, "z": true], by: "me\n", at: now)
        #expect(record.values == ["x": 2, "y": "b", "z": true])
        #expect(record.revision == 6)
        #expect(record.updatedBy == "me")
        #expect(record.updatedAt == Date(timeIntervalSince1970: 1_700_000_000.123))
        #expect(try transaction.record("a") == record)
        #expect(transaction.writes == ["a": .put(record, changed: ["x": 2, "z": true])])
    }

    @Test func `Equal writes are dropped, one by one and altogether`() throws {
        var transaction = SettingsTransaction(over: reader)
        let same = try transaction.update("a", ["x": 1, "nothing": nil], by: "me", at: now)
        #expect(same.revision == 5)
        #expect(same.updatedBy == "old")
        try transaction.remove("nobody")
        #expect(transaction.writes.isEmpty)
        let record = try transaction.update("a", ["x": 1, "y": nil], by: "me", at: now)
        #expect(record.values == ["x": 1])
        #expect(transaction.writes == ["a": .put(record, changed: ["y": nil])])
    }

    @Test func `A rename moves everything, and counts above both names`() throws {
        var transaction = SettingsTransaction(over: reader)
        let record = try transaction.rename("a", to: "gone", by: "me", at: now)
        #expect(record.revision == 10)
        #expect(record.values == ["x": 1, "y": "b"])
        #expect(try transaction.record("a") == nil)
        #expect(throws: SettingsError.self) { try transaction.rename("a", to: "b", by: "me", at: now) }
        try transaction.update("b", [:], by: "me", at: now)
        let error = #expect(throws: SettingsError.self) { try transaction.rename("b", to: "gone", by: "me", at: now) }
        #expect(error?.code == .exists)
    }

    private static let nested = (0..<200).reduce(JSONValue.null) { value, _ in .array([value]) }

    @Test(
        arguments: [
            .double(.nan), .double(-.infinity), .array([.secret("x")]), .object(["a": .array([.secret("x")])]), nested,
        ] as [JSONValue]
    )
    func `A transaction refuses what no store could give back as it was`(value: JSONValue) {
        var transaction = SettingsTransaction(over: reader)
        let error = #expect(throws: SettingsError.self) { try transaction.update("a", ["x": value], by: "me", at: now) }
        #expect(error?.code == .unsupportedValue)
        #expect(transaction.writes.isEmpty)
    }

    @Test(arguments: ["", "a\nb", "a\0", String(repeating: "x", count: 513)])
    func `A transaction refuses names that are empty, long or broken`(name: String) {
        var transaction = SettingsTransaction(over: reader)
        for attempt in [
            { (transaction: inout SettingsTransaction) in
                _ = try transaction.update(name, [:], by: "me", at: now)
            }, { _ = try $0.update("a", [name: 1], by: "me", at: now) },
            { _ = try $0.rename("a", to: name, by: "me", at: now) },
        ] {
            let error = #expect(throws: SettingsError.self) { try attempt(&transaction) }
            #expect(error?.code == .invalidName && error?.message.contains("‘\(name.prefix(1))") == true)
        }
        #expect(transaction.writes.isEmpty)
    }
}
