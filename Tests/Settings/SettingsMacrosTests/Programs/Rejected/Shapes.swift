import StoredSettings

protocol Shape {}

@ObservableSettings
final class Appearance {
    // error: 'both' needs a default, which is its value as long as none is stored
    var both: any Shape & Sendable
    var names: Dictionary<Int, String> = [:]
    // error: a setting needs a declaration of its own
    var (x, y) = (1, 2)
    // error: '@SettingsIgnored' shares a variable between threads, and a 'weak' one cannot be: isolate the class, as by '@MainActor', and leave the attribute away
    @SettingsIgnored weak var owner: Appearance?
}
