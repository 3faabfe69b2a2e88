import StoredSettings

@ObservableSettings
final class Appearance {
    @Setting static var shared = 1
    @Secret lazy var theme = 1
    @Setting(key: "x") weak var owner: Appearance? = nil
}
