@ObservableSettings
public actor Appearance {
    var theme = 1
}
