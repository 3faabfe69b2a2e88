import Synchronization

/// Secrets that last as long as the process; for tests and previews.
public final class InMemorySecretStore: SecretStore {
    private let secrets: Mutex<[String: Secret<String>]>

    /// Begins with some secrets.
    public init(_ secrets: [String: Secret<String>] = [:]) { self.secrets = Mutex(secrets) }

    /// The secret of that name; nil if there is none.
    public func secret(_ name: String) -> Secret<String>? { secrets.withLock { $0[name] } }

    /// Stores a secret, or removes it.
    public func setSecret(_ secret: Secret<String>?, for name: String) { secrets.withLock { $0[name] = secret } }
}
