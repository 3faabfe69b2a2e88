import Settings

@ObservableSettings
actor Appearance {
    var theme = 1
}
