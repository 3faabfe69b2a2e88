import StoredSettings

@ObservableSettings
final class Appearance {
    var theme = ""
    #if os(Linux)
        @Setting(key: "size") var size = 1
        lazy var area = 1
    #else
        @Setting(key: "size") var size = 2
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
