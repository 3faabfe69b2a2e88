import Settings

@ObservableSettings
struct Appearance {
    var theme = 1
}
