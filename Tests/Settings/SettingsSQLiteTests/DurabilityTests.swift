import Foundation
import SettingsSQLite
import SettingsSamples
import SettingsTesting
import StoredSettings
import Synchronization
import TestSupport
import Testing

@Suite("durability of a SQLite store")
struct DurabilityTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("settings.sqlite").path }

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> SQLiteSettingsStore { try SQLiteSettingsStore(path: path, sealer: ToySealer()) }

    @Test func `A thousand transactions that wait together cost a handful of commits`() async throws {
        let store = try open()
        try await concurrently(0..<1000) { try await store.put("p/\($0)", ["x": 1]) }
        #expect(try store.scopes(prefix: "p/").count == 1000)
        #expect(store.commits < 100)
    }

    @Test func `Changing one value in two scopes writes three log pages, however many scopes there are`() async throws {
        let store = try open()
        for index in 0..<200 {
            try await store.transact { transaction in
                for scope in ["printer/\(index)", "handled/\(index)"] {
                    let values = (0..<20).map { ("setting \($0)", JSONValue.string("value \(index)")) }
                    try transaction.update(scope, Dictionary(uniqueKeysWithValues: values), by: "test", at: Date())
                }
            }
        }
        // Closing moves the log into the file, and the next change begins a new one.
        try store.close()
        let again = try open()
        func size() -> Int { (try? Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count) ?? 0 }
        func change(_ value: Int) async throws {
            try await again.transact { transaction in
                try transaction.update("printer/50", ["setting 7": .int(value)], by: "test", at: Date())
                try transaction.update("handled/50", ["setting 9": .int(value)], by: "test", at: Date())
            }
        }
        try await change(1)
        let before = size()
        try await change(2)
        let (page, frame) = (1_024, 24)
        #expect(size() - before <= 3 * (page + frame))
        try again.close()
    }

    @Test func `What cannot be sealed fails alone, and its neighbours in the commit are stored`() async throws {
        let store = try SQLiteSettingsStore(path: path)
        let failures = Atomic(0)
        try await concurrently(0..<100) { index in
            let value: JSONValue = index % 2 == 0 ? 1 : .secret("s")
            do { try await store.put("p/\(index)", ["a": 1, "x": value]) } catch { failures.add(1, ordering: .relaxed) }
        }
        #expect(failures.load(ordering: .relaxed) == 50)
        #expect(try store.records(prefix: "p/").count == 50)
        #expect(try store.records(prefix: "p/").values.allSatisfy { $0.values == ["a": 1, "x": 1] })
    }

    @Test(arguments: [false, true])
    func `A file that was removed or replaced takes no more changes, until it is back`(isReplaced: Bool) async throws {
        let store = try open()
        try await store.put("p/1", ["x": 1])
        let aside = directory.file("aside.sqlite").path
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        if isReplaced { try FileManager.default.copyItem(atPath: aside, toPath: path) }
        let error = await #expect(throws: SettingsError.self) { try await store.put("p/1", ["x": 2]) }
        #expect(error?.code == .unavailable)
        #expect(error?.message.hasPrefix("\(path) was removed or replaced") == true)
        if isReplaced { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.moveItem(atPath: aside, toPath: path)
        try await store.put("p/1", ["x": 3])
        #expect(try store.record("p/1")?.values == ["x": 3])
    }

    @Test func `A store that is closed, even while it is in use, says so from then on`() async throws {
        let store = try open()
        try await concurrently(0..<200) { index in
            do {
                if index == 100 { try store.close() }
                try await store.put("p/\(index)", ["x": 1])
                _ = try store.record("p/\(index)")
            } catch let error as SettingsError {
                #expect(error.code == .closed)
            }
        }
        try store.close()
        let copy = directory.file("copy.sqlite").path
        let errors = [
            #expect(throws: SettingsError.self) { try store.record("p/1") },
            await #expect(throws: SettingsError.self) { try await store.put("p/1", ["x": 2]) },
            await #expect(throws: SettingsError.self) { try await store.copy(to: copy) },
        ]
        for error in errors {
            #expect(error?.code == .closed)
            #expect(error?.message == "the store \(path) was closed")
        }
    }

    @Test func `A file that was emptied takes no more changes`() async throws {
        let store = try open()
        try await store.put("p/1", ["x": 1])
        #expect(truncate(path, 0) == 0)
        let error = await #expect(throws: SettingsError.self) { try await store.put("p/1", ["x": 2]) }
        #expect(error?.code == .corrupted)
    }
}
