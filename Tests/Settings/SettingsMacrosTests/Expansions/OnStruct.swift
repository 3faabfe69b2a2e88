import StoredSettings

@ObservableSettings
struct Appearance {
    var theme = 1
}
