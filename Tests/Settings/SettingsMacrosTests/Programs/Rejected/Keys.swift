import StoredSettings

let name = "a"
let y = "y"

@ObservableSettings
final class Appearance {
    // error: a key is a string literal without interpolation: it must be known here to be unique
    @Setting(key: name) var a = 1
    // error: a key is a string literal without interpolation: it must be known here to be unique
    @Setting(key: "b\(1)") var b = 1
    // error: a key has from 1 to 512 bytes and no control characters
    @Setting(key: "") var c = 1
    // error: previous keys are a list of string literals
    @Setting(key: "d", previousKeys: ["x", y]) var d = 1
}
