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

@ObservableSettings
final class Theme {
    @Setting(key: "a") var a = 1
    // error: 'a' is stored under the key "a" already
    @Setting(key: "a") var b = 1
    @Setting(previousKeys: ["Theme.d"]) var c = 1
    // error: 'c' is stored under the key "Theme.d" already
    var d = 1
    // error: 'e' is stored under the key "f" already
    @Setting(previousKeys: ["f", "f"]) var e = 1
    @Synced(key: "g") var g = 1
    // error: 'g' has the key "g" in the remote store already: give 'h' another one
    @Synced(key: "g") var h = 1
}
