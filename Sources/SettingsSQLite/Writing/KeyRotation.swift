import Foundation
import GRDB
import Settings

/// Seals all secrets of a store with another key, in one transaction.
struct KeyRotation {
    /// What opens them now.
    let secrets: SecretBox
    /// What is to seal them.
    let sealer: any SecretSealer

    /// Does nothing where the key is in use already; changes nothing when one of the secrets does not open.
    func run(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            // Another process may have done it while this one waited.
            guard let known = try database.sealingKey(), known != sealer.keyIdentifier else { return .rollback }
            let checksums = ScopeChecksums(database: database, path: secrets.path)
            var scopes: Set<Int64> = []
            for row in try Row.fetchAll(database, sql: SQL.sealed) {
                guard
                    let id: Int64 = row.checked(0), let scope: String = row.checked(1),
                    let key: String = row.checked(2), let sealed: Data = row.checked(3)
                else { throw SettingsError(.corrupted, "a secret in \(secrets.path) is damaged; nothing was changed") }
                if scopes.insert(id).inserted { try checksums.verify(id) }
                let bytes = try secrets.reseal([UInt8](sealed), scope: scope, key: key, known: known, with: sealer)
                try database.execute(sql: SQL.reseal, arguments: [Data(bytes), id, key])
            }
            for id in scopes { try checksums.update(id) }
            try database.setSealingKey(sealer.keyIdentifier)
            return .commit
        }
        // Nothing of the old key is to stay in the log. Whoever reads at the moment keeps it; a later checkpoint does it.
        _ = try? database.checkpoint(.truncate)
    }
}
