import Foundation
import GRDB
import Settings

/// Reads records from the rows of one connection; valid only while its owner holds the connection.
struct RecordReader: SettingsReader {
    let database: Database
    let secrets: SecretBox
    let epoch: String
    /// Records that need not be read again; nil for connections that other connections write beside.
    var cache: RecordCache?

    func scopes(prefix: String) throws -> [String] {
        let statement = try database.cachedStatement(sql: SQL.scopes)
        return try String.fetchAll(statement, arguments: range(prefix)).filter { $0.hasPrefix(prefix) }.sorted()
    }

    func record(_ scope: String) throws -> SettingsRecord? {
        if let entry = cache?[scope.canonical] { return entry.record }
        guard
            let row = try Row.fetchOne(try database.cachedStatement(sql: SQL.scope), arguments: [scope.canonical])
        else { return nil }
        var assembly = try RecordAssembly(row, secrets: secrets)
        let known = try database.sealingKey()
        let rows = try Row.fetchCursor(try database.cachedStatement(sql: SQL.settings), arguments: [assembly.row.id])
        while let row = try rows.next() { try assembly.add(SettingRow(row), known: known) }
        let record = try assembly.finish()
        cache?[scope.canonical] = RecordCache.Entry(record: record, settings: assembly.settings)
        return record
    }

    func records(prefix: String) throws -> [String: SettingsRecord] {
        var records: [String: SettingsRecord] = [:]
        let known = try database.sealingKey()
        let rows = try Row.fetchCursor(try database.cachedStatement(sql: SQL.records), arguments: range(prefix))
        var current: RecordAssembly?
        while let row = try rows.next() {
            let scope: Int64? = row.checked(0)
            if current?.row.id != scope {
                if let current { records[current.row.name] = try current.finish() }
                current = try RecordAssembly(row, secrets: secrets)
            }
            // A scope without settings has one row with no key.
            if !row.hasNull(atIndex: 8) { try current?.add(SettingRow(row, from: 8), known: known) }
        }
        if let current { records[current.row.name] = try current.finish() }
        return records.filter { $0.key.hasPrefix(prefix) }
    }

    func removedRevision(_ scope: String) throws -> Int {
        try Int.fetchOne(try database.cachedStatement(sql: SQL.removedRevision), arguments: [scope.canonical]) ?? 0
    }

    private func range(_ prefix: String) -> StatementArguments {
        [prefix.canonical, prefix.canonical + "\u{10FFFF}"]
    }
}
