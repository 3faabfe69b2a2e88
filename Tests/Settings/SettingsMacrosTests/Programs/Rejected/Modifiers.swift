import StoredSettings

@ObservableSettings
final class Appearance {
    // error: a 'static' property cannot be a setting
    @Setting static var shared = 1
    // error: a 'lazy' property cannot be a setting
    @Secret lazy var theme = 1
    // error: a 'weak' property cannot be a setting
    @Setting(key: "x") weak var owner: Appearance? = nil
}
