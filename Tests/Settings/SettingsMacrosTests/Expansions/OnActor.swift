import StoredSettings

@ObservableSettings
actor Appearance {
    var theme = 1
}
