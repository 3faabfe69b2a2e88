import StoredSettings

@ObservableSettings
final class Appearance {
    private enum Theme: String, SettingRepresentable { case light, dark }
    private var theme = Theme.light
    private var size = 1
    var name = ""
}
