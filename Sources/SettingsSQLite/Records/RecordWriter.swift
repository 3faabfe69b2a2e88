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
        try checksums.update(id)
    }

    private func put(_ record: SettingsRecord, _ changed: [String: StoredValue?], _ scope: String) throws {
        let statement = try database.cachedStatement(sql: SQL.putScope)
        let arguments: StatementArguments = [
            scope,
            record.revision,
            record.updatedAt.storedMilliseconds,
            record.updatedBy,
            StoredValue.array(record.applied.map(StoredValue.string)).json(),
            change,
        ]
        guard let id = try Int64.fetchOne(statement, arguments: arguments) else {
            throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "no row for a scope")
        }
        for (key, value) in changed { try put(value, key.canonical, scope, id) }
        try checksums.update(id)
    }

    private var checksums: ScopeChecksums { ScopeChecksums(database: database, path: path) }

    private func put(_ value: StoredValue?, _ key: String, _ scope: String, _ id: Int64) throws {
        switch value {
        case nil: try database.cachedStatement(sql: SQL.removeSetting).execute(arguments: [id, key])
        case .secret:
            try database.cachedStatement(sql: SQL.putSetting).execute(arguments: [id, key, nil, sealed[scope, key]])
        case let value?:
            try database.cachedStatement(sql: SQL.putSetting).execute(arguments: [id, key, value.json(), nil])
        }
    }
}
