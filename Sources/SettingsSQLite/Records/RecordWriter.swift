import Foundation
import GRDB
import StoredSettings

/// Writes what a transaction did; used inside a transaction of SQLite's.
struct RecordWriter {
    let database: Database
    let secrets: SecretBox
    /// The number of the commit.
    let change: Int

    /// Writes, or throws when a secret cannot be sealed.
    func apply(_ writes: [String: SettingsWrite]) throws {
        // Removals first: a rename leaves and takes names in one transaction.
        for (scope, write) in writes {
            if case .remove(let revision) = write { try remove(scope.canonical, revision) }
        }
        for (scope, write) in writes {
            if case .put(let record, let changed) = write { try put(record, changed, scope.canonical) }
        }
    }

    private func remove(_ scope: String, _ revision: Int) throws {
        // Also of a scope that one transaction made and the next removed: its revision was told already.
        let id = try id(SQL.removeScope, [scope, revision, change])
        try execute(SQL.removeSettings, [id])
    }

    private func put(_ record: SettingsRecord, _ changed: [String: SettingValue?], _ scope: String) throws {
        let updatedAt = record.updatedAt.storedMilliseconds
        let id = try id(SQL.putScope, [scope, record.revision, updatedAt, record.updatedBy, change])
        for (key, value) in changed {
            let key = key.canonical
            switch value {
            case nil: try execute(SQL.removeSetting, [id, key])
            case .secret(let secret): try execute(SQL.putSetting, [id, key, nil, try seal(secret, scope, key)])
            case let value?: try execute(SQL.putSetting, [id, key, value.json(), nil])
            }
        }
    }

    private func seal(_ secret: Secret<String>, _ scope: String, _ key: String) throws -> Data {
        let known = try database.sealingKey()
        let (bytes, identifier) = try secrets.seal(secret, scope: scope, key: key, known: known)
        if known != identifier { try execute(SQL.writeMeta, ["key", identifier]) }
        return Data(bytes)
    }

    private func id(_ sql: String, _ arguments: StatementArguments) throws -> Int64 {
        guard let id = try Int64.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments) else {
            throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "no row for a scope")
        }
        return id
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
