/// The declaration of one setting: its name, its type by its default, and all that is to be known of it.
///
/// ```swift
/// static let probeInterval = SettingsKey("probe_interval", default: 300, limits: .range(15...86_400))
/// ```
public struct SettingsKey<Value: SettingConvertible>: Sendable {
    /// The name under which it is stored and by which messages call it.
    public let name: String
    /// The value as long as nothing is stored.
    public let `default`: Value
    /// What is accepted from outside.
    public let limits: SettingLimits
    /// Whether it is sealed when stored, and masked when shown.
    public let isSecret: Bool
    /// What wins when a remote store has a value of its own.
    public let sync: SyncPolicy
    /// One sentence for people.
    public let documentation: String
    /// What observers of this setting are registered for; made once for all models.
    let keyPath: SettingsCore.ObservedKeyPath

    /// Declares a setting; one of type `Secret<String>` is always secret.
    public init(
        _ name: String,
        default: Value,
        limits: SettingLimits = .none,
        isSecret: Bool = false,
        sync: SyncPolicy = SyncPolicy(),
        documentation: String = ""
    ) {
        self.name = name
        self.default = `default`
        self.limits = limits
        self.isSecret = isSecret || Value.settingType.base == .secret
        self.sync = sync
        self.documentation = documentation
        keyPath = \SettingsCore[observed: name]
    }

    /// The typed value of a stored one; nil when it is of another kind.
    public func value(from stored: StoredValue) -> Value? {
        if let value = Value(stored: stored) { return value }
        // A secret key of type String: sealed in the store, plain in the property.
        guard isSecret, case .secret(let text) = stored else { return nil }
        return Value(stored: .string(text.reveal()))
    }

    /// `value` as it is stored.
    public func stored(_ value: Value) -> StoredValue {
        let stored = value.stored
        guard isSecret, case .string(let text) = stored else { return stored }
        return .secret(Secret(text))
    }
}
