import StoredSettings

@ObservableSettings
final class Appearance {
    @Setting var area: Int { 1 }
    var width = 1 { didSet { print(width) } }
}
