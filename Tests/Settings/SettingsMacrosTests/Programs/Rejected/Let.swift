import StoredSettings

@ObservableSettings
final class Appearance {
    // error: a setting can change: 'theme' has to be a 'var'
    @Setting let theme = 1
    let plain = 1
}
