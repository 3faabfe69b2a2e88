import Foundation
import GRDB
import StoredSettings
import Synchronization

/// Reads records through one connection; valid only while its owner holds the connection.
struct RecordReader: SettingsReader {
    let database: Database
    let secrets: SecretBox
    let epoch: String
    /// Records that need not be read again; nil for a connection that does not write itself.
    var cache: RecordCache?

    func scopes(prefix: String) throws -> [String] {
        let statement = try database.cachedStatement(sql: SQL.scopes)
        return try String.fetchAll(statement, arguments: range(prefix)).filter { $0.hasPrefix(prefix) }.sorted()
    }

    func record(_ scope: String) throws -> SettingsRecord? {
        if let entry = cache?[scope] { return entry.record }
        let entry = try read(SQL.record, [scope.canonical])[scope]
        if let entry { cache?[scope] = entry }
        return entry?.record
    }

    func records(prefix: String) throws -> [String: SettingsRecord] {
        let entries = try read(SQL.recordsInRange, range(prefix)).filter { $0.key.hasPrefix(prefix) }
        return entries.mapValues(\.record)
    }

    func removedRevision(_ scope: String) throws -> Int {
        let statement = try database.cachedStatement(sql: SQL.removedRevision)
        let revision = try Int.fetchOne(statement, arguments: [scope.canonical]) ?? 0
        guard SettingsRecord.isRevision(revision) else { throw damaged(scope) }
        return revision
    }

    private func range(_ prefix: String) -> StatementArguments {
        [prefix.canonical, prefix.canonical + "\u{10FFFF}"]
    }

    /// Reads rows that each have one setting of a scope.
    ///
    /// Opening a store has checked the types of the columns.
    private func read(_ sql: String, _ arguments: StatementArguments) throws -> [String: RecordCache.Entry] {
        let known = try database.meta("key")
        let rows = try Row.fetchCursor(try database.cachedStatement(sql: sql), arguments: arguments)
        var entries: [String: RecordCache.Entry] = [:]
        while let row = try rows.next() {
            guard let id: Int64 = row[0], let scope: String = row[1] else { throw damaged("a scope") }
            if entries[scope]?.id != id { entries[scope] = RecordCache.Entry(id: id, record: try record(row, scope)) }
            // A scope without settings has one row with no key.
            guard let key: String = row[5] else { continue }
            if let sealed: Data = row[7] {
                let secret = try secrets.open([UInt8](sealed), scope: scope, key: key, known: known)
                entries[scope]?.record.values[key] = secret.map(JSONValue.secret)
                if secret == nil { entries[scope]?.record.damaged[key] = [UInt8](sealed) }
            } else {
                entries[scope]?.record.values[key] = try value(row, scope, key)
            }
        }
        return entries
    }

    private func record(_ row: Row, _ name: String) throws -> SettingsRecord {
        guard let revision: Int = row[2], SettingsRecord.isRevision(revision), let updatedAt: Int64 = row[3],
            let updatedBy: String = row[4]
        else {
            throw damaged(name)
        }
        let date = Date(storedMilliseconds: updatedAt)
        return SettingsRecord(values: [:], revision: revision, updatedAt: date, updatedBy: updatedBy)
    }

    private func value(_ row: Row, _ scope: String, _ key: String) throws -> JSONValue {
        guard let text: String = row[6], let value = try? JSONValue(json: text, limits: .stored) else {
            throw damaged("\(scope) \(key)")
        }
        return value
    }

    private func damaged(_ what: String) -> SettingsError {
        let message = "what is stored for \(what) in \(secrets.path) is damaged: restore the file from a backup"
        return SettingsError(.corrupted, message)
    }
}

extension Database {
    /// A property of the store: `epoch`, or the name of the `key` that sealed its secrets.
    func meta(_ name: String) throws -> String? {
        try String.fetchOne(try cachedStatement(sql: SQL.readMeta), arguments: [name])
    }
}

extension String {
    /// The form of Unicode in which names are kept (NFC): SQLite compares bytes, and Swift takes `é` and `e` with an accent
    /// for the same.
    var canonical: String { utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping }
}

/// The records that the writing connection knows, so that a change of one value reads nothing.
///
/// After another process commits, the next transaction removes the changed scopes from the cache.
final class RecordCache: Sendable {
    struct Entry: Sendable {
        let id: Int64
        var record: SettingsRecord
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The values in all records.
        var count = 0

        mutating func set(_ scope: String, to entry: Entry?) {
            count += entry?.record.values.count ?? 0
            count -= entries[scope]?.record.values.count ?? 0
            entries[scope] = entry
            if count > RecordCache.limit { self = State() }
        }
    }

    /// The most values; with more, the cache begins anew.
    private static let limit = 100_000

    private let state = Mutex(State())

    subscript(scope: String) -> Entry? {
        get { state.withLock { $0.entries[scope] } }
        set { state.withLock { $0.set(scope, to: newValue) } }
    }

    func remove(_ scopes: Set<String>) { for scope in scopes { self[scope] = nil } }

    func removeAll() { state.withLock { $0 = State() } }
}
