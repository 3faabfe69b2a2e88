import StoredSettings

@ObservableSettings
final class Appearance {
    @Setting let theme = 1
    let plain = 1
}
