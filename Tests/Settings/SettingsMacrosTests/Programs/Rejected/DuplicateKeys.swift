import StoredSettings

@ObservableSettings
final class Appearance {
    @Setting(key: "a") var a = 1
    // error: 'a' is stored under the key "a" already
    @Setting(key: "a") var b = 1
    @Setting(previousKeys: ["Appearance.d"]) var c = 1
    // error: 'c' is stored under the key "Appearance.d" already
    var d = 1
    // error: 'e' is stored under the key "f" already
    @Setting(previousKeys: ["f", "f"]) var e = 1
}
