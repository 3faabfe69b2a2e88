import Foundation
import GRDB
import StoredSettings

/// Writes what a transaction did; used inside a transaction of SQLite's.
struct RecordWriter {
    /// The sealed secrets of a transaction, by scope and key, and the name of the sealing key if it is new.
    struct SealedSecrets {
        fileprivate var bytes: [String: [String: Data]] = [:]
        fileprivate var newKey: String?
    }

    let database: Database
    let secrets: SecretBox
    let cache: RecordCache
    let change: Int

    /// Seals the secrets among the writes, before anything is written.
    func seal(_ writes: [String: SettingsWrite]) throws -> SealedSecrets {
        var sealed = SealedSecrets()
        for (scope, write) in writes {
            guard case .put(_, let changed) = write else { continue }
            for case (let key, .secret(let secret)) in changed {
                let (scope, key) = (scope.canonical, key.canonical)
                let known = try sealed.newKey ?? database.meta("key")
                let (bytes, identifier) = try secrets.seal(secret, scope: scope, key: key, known: known)
                sealed.bytes[scope, default: [:]][key] = Data(bytes)
                if known != identifier { sealed.newKey = identifier }
            }
        }
        return sealed
    }

    func write(_ writes: [String: SettingsWrite], _ sealed: SealedSecrets) throws {
        if let key = sealed.newKey { try execute(SQL.writeMeta, ["key", key]) }
        // Removals first: a rename leaves and takes names in one transaction.
        for (scope, write) in writes {
            guard case .remove(let revision) = write else { continue }
            cache[scope] = nil
            try remove(scope.canonical, revision)
        }
        for (scope, write) in writes {
            guard case .put(let record, let changed) = write else { continue }
            let name = scope.canonical
            let id = try put(record, name, id: cache[scope]?.id)
            try put(changed, of: id, sealed.bytes[name] ?? [:])
            for (key, bytes) in record.damaged {
                try execute(SQL.putSetting, [id, key.canonical, nil, Data(bytes)])
            }
            cache[scope] = RecordCache.Entry(id: id, record: record)
        }
    }

    private func remove(_ scope: String, _ revision: Int) throws {
        // Keep the revision even if the scope was made in the same commit: observers know it already.
        let id = try id(SQL.removeScope, [scope, revision, change])
        try execute(SQL.removeSettings, [id])
    }

    /// Writes what a scope has besides its values; returns the number of its row.
    private func put(_ record: SettingsRecord, _ scope: String, id: Int64?) throws -> Int64 {
        let updatedAt = record.updatedAt.storedMilliseconds
        if let id {
            // Compare the name as well: the file may have been replaced.
            try execute(SQL.updateScope, [record.revision, updatedAt, record.updatedBy, change, id, scope])
            if database.changesCount == 1 { return id }
        }
        return try self.id(SQL.putScope, [scope, record.revision, updatedAt, record.updatedBy, change])
    }

    private func put(_ changed: [String: JSONValue?], of id: Int64, _ sealed: [String: Data]) throws {
        for (key, value) in changed {
            let key = key.canonical
            switch value {
            case nil: try execute(SQL.removeSetting, [id, key])
            case .secret: try execute(SQL.putSetting, [id, key, nil, sealed[key]])
            case let value?: try execute(SQL.putSetting, [id, key, value.json(), nil])
            }
        }
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
