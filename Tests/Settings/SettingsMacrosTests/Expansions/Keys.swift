import StoredSettings

let name = "a"
let y = "y"

@ObservableSettings
final class Appearance {
    @Setting(key: name) var a = 1
    @Setting(key: "b\(1)") var b = 1
    @Setting(key: "") var c = 1
    @Setting(key: "d", previousKeys: ["x", y]) var d = 1
}
