import StoredSettings

@ObservableSettings
final class Appearance {
    @SettingsIgnored let a = 1
    @SettingsIgnored var b: Int { 1 }
    @SettingsIgnored @Setting var c = 1
}

@ObservableSettings
final class Lamp {
    @SettingsIgnored var a: Int
    let b: String
    @SettingsIgnored var c: Int?
}
