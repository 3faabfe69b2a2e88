import StoredSettings

@ObservableSettings
final class Appearance {
    var theme = ""
    #if os(Linux)
        @Setting(key: "size") var size = 1
        // error: threads share this class, and a 'lazy' variable has no lock: move 'area' out of the class, or put '@MainActor' on it
        lazy var area = 1
    #else
        @Setting(key: "size") var size = 2
        // error: 'size' is stored under the key "size" already
        @Setting(key: "size") var width = 3
    #endif
    #if DEBUG
        var level = 1
    #endif
    #if !DEBUG
        var level = 2
    #endif
    var last: Double = 3
}
