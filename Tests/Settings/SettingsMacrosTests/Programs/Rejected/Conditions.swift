import StoredSettings

@ObservableSettings
final class Appearance {
    var theme = ""
    #if os(Linux)
        // error: a setting is there under all conditions: move 'size' out of '#if', or put '@SettingsIgnored' on it
        @Setting(key: "size") var size = 1
    #else
        #if DEBUG
            // error: a setting is there under all conditions: move 'level' out of '#if', or put '@SettingsIgnored' on it
            var level = 2
        #endif
    #endif
    #if DEBUG
        @SettingsIgnored var count = 0
        func show() {}
    #endif
}
