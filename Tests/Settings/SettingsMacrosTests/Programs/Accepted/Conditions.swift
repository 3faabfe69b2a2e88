import StoredSettings

@ObservableSettings final class Gate {
    var code = 1
    #if MISSING
        var other = 2
        var speed = 5
        @SettingsIgnored var count = 0
    #elseif os(Linux) || os(macOS)
        var speed = "fast"
        #if !MISSING
            @Setting(key: "deep") var deep = true
        #endif
        func open() {}
    #else
        var speed = true
    #endif
    var last = 3
}

func use(_ gate: Gate) {
    gate.speed = "slow"
    gate.reset(\.deep)
    gate.reset(\.last)
}
