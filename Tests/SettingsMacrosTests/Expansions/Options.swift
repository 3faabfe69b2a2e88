@ObservableSettings(prefix: prefix, naming: naming)
final class Appearance<Value> {
    var backing = 1
    var keys: [String] = []
}
