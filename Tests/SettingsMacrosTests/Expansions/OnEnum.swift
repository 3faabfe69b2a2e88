import Settings

@ObservableSettings
enum Appearance {
    case dark
}
