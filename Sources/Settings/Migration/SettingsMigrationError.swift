/// Why stored settings could not be brought to a newer version; they are as they were.
public struct SettingsMigrationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The version that was not reached.
    public let version: Int
    /// The step that failed, by its name.
    public let step: String
    /// The scope for which it failed; nil for a step over all of the store.
    public let scope: String?
    /// The key that the step is about, if it is about one.
    public let key: String?
    /// What the step threw; nil when that could hold a secret.
    public let reason: String?

    /// All of it in one sentence.
    public var description: String {
        let place = scope.map { " for \($0)" } ?? ""
        return "the settings cannot be brought to version \(version): the step '\(step)' failed\(place)"
            + (reason.map { ": \($0)" } ?? "") + "; nothing was changed"
    }
}
