import Foundation
import SettingsSQLite
import SettingsSamples
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@Suite("opening a SQLite store")
struct OpeningTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("state/settings.sqlite").path }

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> SQLiteSettingsStore { try SQLiteSettingsStore(path: path, sealer: ToySealer()) }

    private func fill() async throws {
        let store = try open()
        try await store.put("a", ["x": 1, "code": .secret("canary-9")])
        try store.close()
    }

    private func run(_ sql: String) async throws { try await ChildProcess.run("sqlite3", [path, sql]) }

    @Test func `Opening a SQLite store renews a copy's epoch on request and keeps a moved file's epoch`() async throws {
        try await fill()
        let first = try open()
        try first.close()
        let moved = directory.file("moved.sqlite").path
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        let second = try SQLiteSettingsStore(path: moved, sealer: ToySealer(key: 1))
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
        let before = try Data(contentsOf: directory.file("state/settings.sqlite"))
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
        #expect(try Data(contentsOf: directory.file("state/settings.sqlite")) == before)
    }

    @Test func `Opening a SQLite store refuses a newer schema, and touches nothing`() async throws {
        try await fill()
        try await run("PRAGMA user_version = 99")
        let before = try Data(contentsOf: directory.file("state/settings.sqlite"))
        let error = #expect(throws: SettingsError.self) { try open() }
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains(path) == true)
        #expect(try Data(contentsOf: directory.file("state/settings.sqlite")) == before)
    }

    @Test func `Opening a SQLite store refuses somebody else's database, and touches nothing`() async throws {
        try FileManager.default.createDirectory(at: directory.file("state"), withIntermediateDirectories: true)
        try await run("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
        let before = try Data(contentsOf: directory.file("state/settings.sqlite"))
        let error = #expect(throws: SettingsError.self) { try open() }
        #expect(error?.code == .foreignFile)
        #expect(try Data(contentsOf: directory.file("state/settings.sqlite")) == before)
    }

    @Test(arguments: ["text", "header", "middle", "cut", "empty"])
    func `Opening a SQLite store names a damaged file, and never begins anew in silence`(damage: String) async throws {
        try await fill()
        let url = directory.file("state/settings.sqlite")
        var bytes = try Data(contentsOf: url)
        switch damage {
        case "text": bytes = Data(String(repeating: "no database\n", count: 500).utf8)
        case "header": bytes.replaceSubrange(0..<64, with: Data(repeating: 0xAA, count: 64))
        case "middle":
            bytes.replaceSubrange(1024..<(bytes.count), with: Data(repeating: 0x5A, count: bytes.count - 1024))
        case "cut": bytes = bytes.prefix(bytes.count * 2 / 3)
        default: bytes = Data()
        }
        try bytes.write(to: url)
        let error = #expect(throws: SettingsError.self) { _ = try open().record("a") }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains(path) == true)
        #expect(try Data(contentsOf: url).prefix(64) == bytes.prefix(64))
    }

    @Test func `A secret that was moved to another place does not open there`() async throws {
        try await fill()
        try await run("UPDATE setting SET key = 'other' WHERE key = 'code'")
        let record = try open().record("a")
        #expect(record?.values["other"] == nil && record?.damaged.keys.sorted() == ["other"])
    }

    @Test func `A value that is damaged is an error that names it, not a default`() async throws {
        try await fill()
        try await run("UPDATE setting SET value = '{\"x' WHERE key = 'x'")
        let store = try open()
        let error = #expect(throws: SettingsError.self) { try store.record("a") }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains("a x") == true)
        #expect(throws: SettingsError.self) { try store.records(prefix: "") }
    }

    @Test func `A directory that cannot be made is named`() throws {
        try Data().write(to: directory.file("state"))
        let error = #expect(throws: SettingsError.self) { try open() }
        #expect(error?.message.contains("state") == true)
    }
}
