import StoredSettings

@ObservableSettings
final class Appearance {
    @Setting(key: "a") var a = 1
    @Setting(key: "a") var b = 1
    @Setting(previousKeys: ["Appearance.d"]) var c = 1
    var d = 1
    @Setting(previousKeys: ["f", "f"]) var e = 1
}
