/// All that is known of a setting beside its name, its type and its default.
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
