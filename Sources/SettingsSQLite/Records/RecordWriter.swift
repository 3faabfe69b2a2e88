import Foundation
import GRDB
import Settings

/// Writes what transactions did; used inside a transaction of SQLite's.
struct RecordWriter {
    let database: Database
    /// Every secret that is to be written.
    let sealed: SealedSecrets
    /// The store, for messages.
    let path: String
    /// The number of the commit.
    let change: Int
    /// What is known of the records before; brought up to date.
    let cache: RecordCache

    func apply(_ writes: [String: SettingsWrite]) throws {
        if let key = sealed.keyIdentifier { try database.setSealingKey(key) }
        // Removals first: a rename leaves and takes names in one transaction.
        for (scope, write) in writes {
            if case .remove(let revision) = write { try remove(scope.canonical, revision) }
        }
        for (scope, write) in writes {
            if case .put(let record, let changed) = write { try put(record, changed, scope.canonical) }
        }
    }

    private func remove(_ scope: String, _ revision: Int) throws {
        let statement = try database.cachedStatement(sql: SQL.removeScope)
        // Also of a scope that was made by one transaction and removed by the next: its revision was told already.
        guard let id = try Int64.fetchOne(statement, arguments: [scope, revision, change]) else {
            throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "no row for a scope")
        }
        try database.cachedStatement(sql: SQL.removeSettings).execute(arguments: [id])
        cache[scope] = nil
        try checksums.update(id)
    }

    private func put(_ record: SettingsRecord, _ changed: [String: SettingValue?], _ scope: String) throws {
        let applied = SettingValue.array(record.applied.map(SettingValue.string)).json()
        let updatedAt = record.updatedAt.storedMilliseconds
        var entry = cache[scope]
        entry?.record = record
        let rows = changed.map { key, value in row(value, key, scope) }
        for (row, isRemoved) in rows { entry?.put(row, isRemoved: isRemoved) }
        let checksum = entry.map { entry in
            var checksum = Checksum.ofScope(
                scope,
                record.updatedBy,
                applied,
                revision: record.revision,
                updatedAt: updatedAt,
                removed: 0
            )
            for setting in entry.settings { checksum.add(setting) }
            return Int64(bitPattern: checksum.value)
        }
        let statement = try database.cachedStatement(sql: SQL.putScope)
        let arguments: StatementArguments = [
            scope, record.revision, updatedAt, record.updatedBy, applied, change, checksum,
        ]
        guard let id = try Int64.fetchOne(statement, arguments: arguments) else {
            throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "no row for a scope")
        }
        for (row, isRemoved) in rows { try put(row, isRemoved: isRemoved, id) }
        if entry == nil { try checksums.update(id) }
        cache[scope] = entry
    }

    private var checksums: ScopeChecksums { ScopeChecksums(database: database, path: path) }

    private func row(_ value: SettingValue?, _ key: String, _ scope: String) -> (SettingRow, isRemoved: Bool) {
        switch value {
        case nil: (SettingRow(key: key.canonical, value: nil, sealed: nil), true)
        case .secret: (SettingRow(key: key.canonical, value: nil, sealed: sealed[scope, key.canonical]), false)
        case let value?: (SettingRow(key: key.canonical, value: value.json(), sealed: nil), false)
        }
    }

    private func put(_ row: SettingRow, isRemoved: Bool, _ id: Int64) throws {
        if isRemoved {
            try database.cachedStatement(sql: SQL.removeSetting).execute(arguments: [id, row.key])
        } else {
            let arguments: StatementArguments = [id, row.key, row.value, row.sealed]
            try database.cachedStatement(sql: SQL.putSetting).execute(arguments: arguments)
        }
    }
}
