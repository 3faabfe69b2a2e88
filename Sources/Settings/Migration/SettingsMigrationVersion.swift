/// One version of the stored form of settings: the steps that lead to it from the one before.
public struct SettingsMigrationVersion: Sendable {
    /// The number of the version.
    public let number: Int
    /// What is done, in order.
    public let steps: [SettingsMigrationStep]

    /// Declares a version by the steps that lead to it.
    public static func version(_ number: Int, _ steps: SettingsMigrationStep...) -> Self {
        Self(number: number, steps: steps)
    }
}
