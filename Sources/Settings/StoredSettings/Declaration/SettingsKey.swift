public import Synchronization

/// The declaration of one setting: its name, its type by its default, and its metadata.
///
/// ```swift
/// static let probeInterval = SettingsKey("probe_interval", default: 300, in: 15...86_400)
/// ```
public final class SettingsKey<Value: Sendable>: Sendable, CustomReflectable {
    /// The name under which the value is stored, and by which messages call the setting.
    public let name: String
    /// The value as long as nothing is stored; evaluated once.
    public let `default`: Value
    /// What is known of the setting beside its name and its type.
    public let metadata: SettingMetadata
    let codec: SettingCodec<Value>
    @usableFromInline let areEqual: @Sendable (Value, Value) -> Bool
    /// The index of the key in its first schema, where it is found without a search; -1 before.
    @usableFromInline let position = Atomic(-1)
    @usableFromInline let isConstrained: Bool
    /// What observers of this setting are registered for; made once for all models.
    let keyPath: Observed.ObservedKeyPath

    init(_ name: String, default: Value, _ metadata: SettingMetadata, codec: SettingCodec<Value>) {
        var metadata = metadata
        metadata.isSecret = metadata.isSecret || codec.type.isSecret
        self.name = name
        self.default = `default`
        self.metadata = metadata
        self.codec = metadata.isSecret && !codec.type.isSecret ? codec.sealed() : codec
        areEqual = codec.areEqual
        isConstrained = metadata.constraints.isConstraining
        keyPath = Observed.keyPath()
    }

    /// Whether the value is sealed when stored, and masked when shown.
    public var isSecret: Bool { metadata.isSecret }

    /// The typed value of a stored one; nil when the stored one is of another kind.
    package func value(from stored: JSONValue) -> Value? { codec.decode(stored) }

    /// The typed value of a stored one, also in a form that other code has written.
    func restored(from stored: JSONValue) -> Value? { value(from: stored.read(as: codec.type)) }

    /// The value for what a record has; if that does not fit, the default and the error.
    func read(_ found: FoundValue) -> (value: Value, error: SettingsError?) {
        let decoded = found.stored.map { restored(from: $0) } ?? `default`
        let refusal = decoded.map { self.refusal(of: $0, isStored: true) } ?? misfit
        let error = found.damage ?? refusal
        return (error == nil ? decoded ?? `default` : `default`, error)
    }

    private var misfit: SettingsError {
        // Only the type knows which texts and which JSON fit.
        let isVague = [.string, .optional(.string)].contains(codec.type) || codec.type.base == .json
        let expected = isVague ? "a value of \(Value.self)" : codec.type.expectation
        return SettingsError(.wrongType, "\(name): the stored value is not \(expected); the default is in force")
    }

    @usableFromInline package func stored(_ value: Value) -> JSONValue { codec.encode(value) }

    /// Why `value` is not accepted; nil if it is, as the default always is.
    func refusal(of value: Value, isStored: Bool = false) -> SettingsError? {
        guard isConstrained, let fault = metadata.constraints.fault(of: codec.type.constrained(stored(value))),
            !areEqual(value, `default`)
        else { return nil }
        let message = isStored ? ": the stored value \(fault.message); the default is in force" : " \(fault.message)"
        return SettingsError(.invalidValue, name + message)
    }

    /// The name and the default, masked for a secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "default": isSecret ? stored(`default`) as Any : `default`])
    }
}

/// What is known of a setting beside its name, its type and its default.
public struct SettingMetadata: Sendable {
    /// The whole keys that the setting had in earlier versions, newest first; a value stored under one of them is moved.
    public var previousKeys: [String]
    /// Which values are accepted.
    public var constraints: SettingConstraints
    /// Whether the setting is sealed when stored, and masked when shown.
    public var isSecret: Bool
    /// What wins when a remote store has a value of its own; nil for a setting that stays here.
    public var sync: SyncPolicy?
    /// One sentence for people.
    public var documentation: String

    /// Describes a setting; without arguments it is an ordinary one.
    public init(
        previousKeys: [String] = [],
        constraints: SettingConstraints = .none,
        isSecret: Bool = false,
        sync: SyncPolicy? = nil,
        documentation: String = ""
    ) {
        self.previousKeys = previousKeys
        self.constraints = constraints
        self.isSecret = isSecret
        self.sync = sync
        self.documentation = documentation
    }
}
