import StoredSettings

@ObservableSettings
final class Appearance {
    var width: Int
    var height = nil
    var depth: Int?
}
