import StoredSettings

@ObservableSettings
final class Appearance {
    // Both in points.
    // error: a setting needs a declaration of its own
    var width = 1, height: Double = 2
}
