import StoredSettings

@ObservableSettings
final class Appearance {
    // Both in points.
    var width = 1, height: Double = 2
}
