import StoredSettings

@ObservableSettings
final class Appearance {
    // error: '@SettingsIgnored' is for stored variables, one by one; anything else is no setting anyway
    @SettingsIgnored let a = 1
    // error: '@SettingsIgnored' is for stored variables, one by one; anything else is no setting anyway
    @SettingsIgnored var b: Int { 1 }
    // error: 'c' is ignored, and so no setting: remove '@Setting'
    @SettingsIgnored @Setting var c = 1
}

@ObservableSettings
final class Lamp {
    // error: 'a' needs an initial value, or the class an initializer of its own: the one that is generated knows none for it
    @SettingsIgnored var a: Int
    // error: 'b' needs an initial value, or the class an initializer of its own: the one that is generated knows none for it
    let b: String
    @SettingsIgnored var c: Int?
}
