import Foundation
import SettingsSQLite
import SettingsSamples
import StoredSettings
import TestSupport
import Testing

@Suite("a SQLite store beside other processes", .timeLimit(.minutes(5)))
struct OtherProcessTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("settings.sqlite").path }

    init() throws { directory = try TemporaryDirectory() }

    private func sql(_ statements: String) async throws -> String {
        try await ChildProcess.run("sqlite3", ["-cmd", ".timeout 5000", path, statements])
    }

    @Test func `A change by another process arrives`() async throws {
        let store = try SQLiteSettingsStore(path: path)
        try await store.put("a", ["level": 1])
        let key = SettingsKey("level", default: 0)
        let model = SettingsStorage(scope: "a", schema: SettingsSchema(key), store: store)
        _ = try await sql(
            """
            BEGIN IMMEDIATE;
            UPDATE setting SET value = '2' WHERE key = 'level';
            UPDATE scope SET revision = revision + 1, changed = (SELECT max(changed) + 1 FROM scope)
                WHERE name = 'a';
            COMMIT;
            """
        )
        for await level in model.changes(of: key) where level == 2 { break }
        #expect(model.record?.revision == 2)
    }

    @Test func `Another process reads what was written, as JSON`() async throws {
        let store = try SQLiteSettingsStore(path: path)
        try await store.put("a", ["x": ["b": 1, "a": "é"]])
        #expect(try await sql("SELECT value FROM setting") == #"{"a":"é","b":1}"# + "\n")
        #expect(try await sql("PRAGMA journal_mode; PRAGMA integrity_check") == "wal\nok\n")
        #expect(try await sql("PRAGMA foreign_key_check") == "")
    }
}
