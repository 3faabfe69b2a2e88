import StoredSettings

let prefix = "a"
let naming = KeyNaming.snakeCase

@ObservableSettings(prefix: prefix, naming: naming)
final class Appearance<Value> {
    var storage = 1
    var keys: [String] = []
}
