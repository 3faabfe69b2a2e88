import Foundation
import GRDB
import Settings

/// Reads records from the rows of one connection; valid only while its owner holds the connection.
struct RecordReader: SettingsReader {
    let database: Database
    let secrets: SecretBox
    let epoch: String

    func scopes(prefix: String) throws -> [String] {
        let statement = try database.cachedStatement(sql: SQL.scopes)
        return try String.fetchAll(statement, arguments: range(prefix)).filter { $0.hasPrefix(prefix) }.sorted()
    }

    func record(_ scope: String) throws -> SettingsRecord? {
        guard
            let row = try Row.fetchOne(try database.cachedStatement(sql: SQL.scope), arguments: [scope])
        else { return nil }
        var record = try record(row, from: 1, scope: scope)
        let id: Int64 = row[0]
        let rows = try Row.fetchCursor(try database.cachedStatement(sql: SQL.settings), arguments: [id])
        while let row = try rows.next() { try add(row, from: 0, to: &record, scope: scope) }
        return record
    }

    func records(prefix: String) throws -> [String: SettingsRecord] {
        var records: [String: SettingsRecord] = [:]
        let rows = try Row.fetchCursor(try database.cachedStatement(sql: SQL.records), arguments: range(prefix))
        var current: (scope: String, record: SettingsRecord)?
        while let row = try rows.next() {
            let scope: String = row[0]
            if current?.scope != scope {
                if let current { records[current.scope] = current.record }
                current = (scope, try record(row, from: 1, scope: scope))
            }
            // A scope without settings has one row with no key.
            if row.hasNull(atIndex: 5) { continue }
            if var (_, record) = current {
                current = nil
                try add(row, from: 5, to: &record, scope: scope)
                current = (scope, record)
            }
        }
        if let current { records[current.scope] = current.record }
        return records.filter { $0.key.hasPrefix(prefix) }
    }

    func removedRevision(_ scope: String) throws -> Int {
        try Int.fetchOne(try database.cachedStatement(sql: SQL.removedRevision), arguments: [scope]) ?? 0
    }

    private func record(_ row: Row, from index: Int, scope: String) throws -> SettingsRecord {
        let milliseconds: Int64 = row[index + 1]
        let applied: String = row[index + 3]
        guard let ids = try? StoredValue(json: applied, limits: .stored).arrayValue else {
            throw damaged(scope, "applied")
        }
        return SettingsRecord(
            values: [:],
            revision: row[index],
            updatedAt: Date(storedMilliseconds: milliseconds),
            updatedBy: row[index + 2],
            applied: ids.compactMap(\.stringValue)
        )
    }

    private func add(_ row: Row, from index: Int, to record: inout SettingsRecord, scope: String) throws {
        let key: String = row[index]
        if let sealed: Data = row[index + 2] {
            record.values[key] = .secret(
                try secrets.open([UInt8](sealed), scope: scope, key: key, known: try database.sealingKey())
            )
        } else if let text: String = row[index + 1], let value = try? StoredValue(json: text, limits: .stored) {
            record.values[key] = value
        } else {
            throw damaged(scope, key)
        }
    }

    private func damaged(_ scope: String, _ key: String) -> SettingsError {
        SettingsError(.corrupted, "what is stored for \(scope) \(key) in \(secrets.path) is damaged")
    }

    private func range(_ prefix: String) -> StatementArguments { [prefix, prefix + "\u{10FFFF}"] }
}
