#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Secrets in one scope of a store of settings, which seals them.
///
/// ```swift
/// let secrets = SettingsSecretStore(try SQLiteSettingsStore(path: path, sealer: sealer))
/// ```
public struct SettingsSecretStore: SecretStore {
    private let store: any SettingsStore
    private let scope: String

    /// Keeps secrets in `scope` of `store`.
    public init(_ store: any SettingsStore, scope: String = "secrets") {
        self.store = store
        self.scope = scope
    }

    /// The secret of that name; nil if there is none.
    public func secret(_ name: String) throws -> Secret<String>? {
        switch try store.record(scope)?.values[name] {
        case nil: return nil
        case .secret(let secret)?: return secret
        case let value?:
            throw SettingsError(.wrongType, "\(scope) \(name) must be a secret, and is \(value.kind) in clear text")
        }
    }

    /// Stores a secret, or removes it, in a transaction of the store.
    public func setSecret(_ secret: Secret<String>?, for name: String) async throws {
        try await store.transact { [scope] transaction in
            guard try secret != nil || transaction.record(scope)?.values[name] != nil else { return }
            try transaction.update(
                scope,
                [name: secret.map(StoredValue.secret)],
                by: "secrets",
                at: Date()
            )
        }
    }
}
