import Foundation
import SettingsSQLite
import SettingsSamples
import SettingsTesting
import StoredSettings
import Synchronization
import TestSupport
import Testing

@Suite("a SQLite store", .timeLimit(.minutes(5)))
struct SQLiteStoreTests {
    private let directory: TemporaryDirectory
    private var file: URL { directory.file("state/settings.sqlite") }
    private var path: String { file.path }

    init() throws { directory = try TemporaryDirectory() }

    private func open(key: UInt8? = 1) throws -> SQLiteSettingsStore {
        try SQLiteSettingsStore(path: path, sealer: key.map(sealer))
    }

    private func fill() async throws {
        let store = try open()
        try await store.put("a", ["x": 1, "code": .secret("canary-9")])
        try store.close()
    }

    /// Does what another process does.
    @discardableResult
    private func sql(_ statements: String) async throws -> String {
        try await ChildProcess.run("sqlite3", ["-cmd", ".timeout 5000", path, statements])
    }

    // MARK: Opening

    @Test func `Opening a SQLite store renews a copy's epoch on request and keeps a moved file's epoch`() async throws {
        try await fill()
        let first = try open()
        try first.close()
        let moved = directory.file("moved.sqlite").path
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        let second = try SQLiteSettingsStore(path: moved, sealer: sealer())
        #expect(second.epoch == first.epoch)
        try second.close()
        try FileManager.default.copyItem(atPath: moved, toPath: path)
        try SQLiteSettingsStore.renewEpoch(of: path)
        let third = try open()
        #expect(third.epoch != first.epoch)
        #expect(try third.record("a")?.values["code"] == .secret("canary-9"))
        try third.close()
        let fourth = try open()
        #expect(fourth.epoch == third.epoch)
        try fourth.close()
    }

    @Test func `Opening a SQLite store writes nothing when there is nothing to bring up`() async throws {
        try await fill()
        let before = try Data(contentsOf: file)
        let store = try open()
        _ = try store.record("a")
        let told = LockedValue<[StoreChanges]>([])
        let observer = StoreObserver { told.value += [$0] }
        store.add(observer)
        try await store.put("a", ["x": 1])
        let wal = directory.file("state/settings.sqlite-wal")
        #expect(((try? Data(contentsOf: wal)) ?? Data()).isEmpty)
        #expect(store.commits == 0)
        try store.close()
        #expect(told.value == [])
        withExtendedLifetime(observer) {}
        #expect(try Data(contentsOf: file) == before)
    }

    /// Opening fails with this code, names the file, and leaves it unchanged.
    private func expectRefusal(_ code: SettingsError.Code) throws {
        let before = try Data(contentsOf: file)
        let error = #expect(throws: SettingsError.self) { try open() }
        #expect(error?.code == code)
        #expect(error?.message.contains(path) == true)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func `Opening a SQLite store refuses a newer schema, and leaves it unchanged`() async throws {
        try await fill()
        try await sql("PRAGMA user_version = 99")
        try expectRefusal(.newerSchema)
    }

    @Test func `Opening a SQLite store refuses another program's database, and leaves it unchanged`() async throws {
        try FileManager.default.createDirectory(at: directory.file("state"), withIntermediateDirectories: true)
        try await sql("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
        try expectRefusal(.foreignFile)
    }

    @Test(arguments: ["text", "header", "middle", "cut", "empty"])
    func `Opening a SQLite store names a damaged file, and never begins anew in silence`(damage: String) async throws {
        try await fill()
        var bytes = try Data(contentsOf: file)
        switch damage {
        case "text": bytes = Data(String(repeating: "no database\n", count: 500).utf8)
        case "header": bytes.replaceSubrange(0..<64, with: Data(repeating: 0xAA, count: 64))
        case "middle":
            bytes.replaceSubrange(1024..<(bytes.count), with: Data(repeating: 0x5A, count: bytes.count - 1024))
        case "cut": bytes = bytes.prefix(bytes.count * 2 / 3)
        default: bytes = Data()
        }
        try bytes.write(to: file)
        let error = #expect(throws: SettingsError.self) { _ = try open().record("a") }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains(path) == true)
        #expect(try Data(contentsOf: file).prefix(64) == bytes.prefix(64))
    }

    @Test func `A secret that was moved to another place does not open there`() async throws {
        try await fill()
        try await sql("UPDATE setting SET key = 'other' WHERE key = 'code'")
        let record = try open().record("a")
        #expect(record?.values["other"] == nil && record?.damaged.keys.sorted() == ["other"])
    }

    @Test func `A value that is damaged is an error that names it, not a default`() async throws {
        try await fill()
        try await sql("UPDATE setting SET value = '{\"x' WHERE key = 'x'")
        let store = try open()
        let error = #expect(throws: SettingsError.self) { try store.record("a") }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains("a x") == true)
        #expect(throws: SettingsError.self) { try store.records(prefix: "") }
    }

    @Test(arguments: ["UPDATE scope SET", "DELETE FROM setting; UPDATE scope SET removed = 1,"])
    func `A revision that cannot grow is damaged, also that of a removed scope`(edit: String) async throws {
        try await fill()
        try await sql("\(edit) revision = \(Int.max)")
        let store = try open()
        #expect(await errorCode { try await store.put("a", ["x": 2]) } == .corrupted)
    }

    @Test func `A directory that cannot be made is named`() throws {
        try Data().write(to: directory.file("state"))
        let error = #expect(throws: SettingsError.self) { try open() }
        #expect(error?.message.contains("state") == true)
    }

    @Test func `A database in memory is refused, and the error names the store to use instead`() {
        let error = #expect(throws: SettingsError.self) { try SQLiteSettingsStore(path: ":memory:") }
        #expect(error?.message.contains("InMemorySettingsStore") == true)
    }

    // MARK: Durability

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
        let store = try open(key: nil)
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

    @Test(arguments: [false, true])
    func `A file removed or overwritten in use is an error of models until it is back`(isRemoved: Bool) async throws {
        try await fill()
        let key = SettingsKey("x", default: 0)
        let model = SettingsStorage(scope: "a", schema: SettingsSchema(key), store: try open())
        let (whole, aside) = (try Data(contentsOf: file), path + ".aside")
        func overwrite(_ bytes: Data) throws { try FileHandle(forWritingTo: file).write(contentsOf: bytes) }
        if isRemoved { #expect(rename(path, aside) == 0) } else { try overwrite(Data(count: 8_192)) }
        try await eventually("the error") { model.error(of: key)?.code == (isRemoved ? .unavailable : .corrupted) }
        // The model reads again after a second.
        try await Task.sleep(for: .seconds(1.5))
        await #expect(throws: SettingsError.self) { try await model.commit() }
        if isRemoved { #expect(rename(aside, path) == 0) } else { try overwrite(whole) }
        try await eventually("no error") { model.error(of: key) == nil && model[key] == 1 }
    }

    // MARK: Other processes

    @Test func `Another process reads the stored values as JSON`() async throws {
        let store = try open()
        try await store.put("a", ["x": ["b": 1, "a": "é"]])
        #expect(try await sql("SELECT value FROM setting") == #"{"a":"é","b":1}"# + "\n")
        #expect(try await sql("PRAGMA journal_mode; PRAGMA integrity_check") == "wal\nok\n")
        #expect(try await sql("PRAGMA foreign_key_check") == "")
    }
}
