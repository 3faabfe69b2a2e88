@ObservableSettings
enum Appearance {
    case dark
}
