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
    // error: previous keys are string literals, each from 1 to 512 bytes and without control characters
    @Setting(key: "d", previousKeys: ["x", y]) var d = 1
    // error: previous keys are string literals, each from 1 to 512 bytes and without control characters
    @Setting(key: "e", previousKeys: ["z\n"]) var e = 1
}

// error: write the prefix here as a string literal: it has up to 511 bytes and no control characters
@ObservableSettings(prefix: "a\n") final class Lines { var a = 1 }
