// swift-format-ignore-file

import StoredSettings

@available(macOS 15, *)
@ObservableSettings() nonisolated public final class Odd {
    /// Documented.
    @available(*, deprecated, message: "use another") var old = 1  // behind it
    // between
    /* before */ var spaced /* a */: /* b */ Int /* c */ = /* d */ 3 /* e */
    var broken: String  // why
    = "x"  // that
    @inline(never) nonisolated final var modified = 5
    @usableFromInline internal var usable = 3
    var computed: Int = {  // once
        let three = 3
        return three  // here
    }()
    var `class` = 1
    var `default`: String = ""
    @SettingsIgnored var `in` = 3
    var `self` = 2
    var `Type` = 3
    var `init` = 4
    var größe = 5
    var `with space` = 6
    var 😀 = 7
    var _underscored = 8
}
@StoredSettings.ObservableSettings final class Qualified {
    @StoredSettings.Setting var a = 1
    @StoredSettings.Secret var b = ""
    @StoredSettings.Synced var c = 2
    @StoredSettings.SettingsIgnored var d = 3
}
@ObservableSettings(scope: "a \"quoted\" \\(scope)", prefix: "\"") final class Quoted { var a = 1 }
func use(_ odd: Odd) {
    odd.reset(\.`default`)
    odd.reset(\.`with space`)
}
