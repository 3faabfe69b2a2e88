import StoredSettings

protocol Shape {}

@ObservableSettings
final class Appearance {
    var both: any Shape & Sendable
    var names: Dictionary<Int, String> = [:]
    var (x, y) = (1, 2)
    @SettingsIgnored weak var owner: Appearance?
}
