/// What a run of ``SettingsMigrations`` found and did.
public struct SettingsMigrationOutcome: Sendable, Hashable {
    /// The version that was found; nil when nothing was stored yet.
    public let from: Int?
    /// The version that the stored settings have now.
    public let to: Int

    /// Whether stored settings were brought from one version to another.
    public var didMigrate: Bool { from.map { $0 != to } ?? false }
}
