import Foundation
import Settings

/// Which broker and base topic the settings were last synchronised with.
struct Account: Sendable {
    private static let scope = "bridge/account"

    /// What a replayed wish means: a first or repeated sync, or the wishes of a stranger's broker.
    let syncEvent: SyncEvent

    /// Compares the account with the last one, and remembers it.
    static func open(broker: String, base: String, in store: any SettingsStore) async throws -> Account {
        let present: [String: StoredValue?] = ["broker": .string(broker), "base": .string(base)]
        return try await store.transact { transaction in
            let known = try transaction.record(scope)?.values
            let isSame = known == nil || known == present.compactMapValues(\.self)
            if known == nil || !isSame {
                _ = try transaction.update(scope, present, by: ConfigSource.local.rawValue, at: Date())
            }
            return Account(syncEvent: isSame ? .initialSync : .accountChange)
        }
    }
}
