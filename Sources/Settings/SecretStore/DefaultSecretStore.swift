/// The store of every ``SecretStorage`` that names none.
public enum DefaultSecretStore {
    /// Set when the program starts; until then every secret is an error, and none is lost in silence.
    public static var store: any SecretStore {
        get { current.value }
        set { current.value = newValue }
    }

    private static let current = LockedValue<any SecretStore>(Unset())

    private struct Unset: SecretStore {
        func secret(_ name: String) throws -> Secret<String>? { throw error }
        func setSecret(_ secret: Secret<String>?, for name: String) throws { throw error }

        private var error: SettingsError {
            SettingsError(.unavailable, "there is no store for secrets: set DefaultSecretStore.store first")
        }
    }
}
