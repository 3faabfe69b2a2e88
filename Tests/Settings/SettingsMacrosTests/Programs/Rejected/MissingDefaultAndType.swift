import StoredSettings

@ObservableSettings
final class Appearance {
    // error: 'width' needs a default, which is its value as long as none is stored
    var width: Int
    // error: 'height' needs a default value, or a type that has one
    var height = nil
    var depth: Int?
}
