import StoredSettings

let prefix = "a"
let naming = KeyNaming.snakeCase

@ObservableSettings(
    // error: write the prefix here as a string literal: it has up to 511 bytes and no control characters
    prefix: prefix,
    // error: write the naming here: '.asWritten' or '.snakeCase'
    naming: naming
)
// error: a class of settings cannot be generic, nor within a generic type: its keys are declared once for all instances
final class Appearance<Value> {
    // error: '@ObservableSettings' generates a member 'storage': rename this one, and give it the key by '@Setting(key:)'
    var storage = 1
    // error: '@ObservableSettings' generates a member 'keys': rename this one, and give it the key by '@Setting(key:)'
    var keys: [String] = []
}
