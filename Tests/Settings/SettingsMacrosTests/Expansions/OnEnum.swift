import StoredSettings

@ObservableSettings
enum Appearance {
    case dark
}
