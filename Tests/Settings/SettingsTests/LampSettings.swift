import StoredSettings

enum LampMode: String, SettingRepresentable, CaseIterable {
    case off, steady, blink
}

/// A model with one setting for each kind of constraint.
@ObservableSettings(scope: "lamp/a", prefix: "", naming: .snakeCase)
final class LampSettings {
    @Setting(constraints: SettingConstraints(length: 1...8)) var name = "lamp"
    /// In percent.
    @Setting(in: 0...100) var brightness = 50
    var mode = LampMode.off
    @Setting(constraints: SettingConstraints(length: 4...16)) var code: Secret<String> = ""
    @Setting(constraints: SettingConstraints { $0.contains(" ") ? "must not contain spaces" : nil }) var address = ""
    @Setting(in: 0...2) var gain = 1.0
    var group: String?
    var hours = 50
    var isOn = false

    /// Derived, and observed through what it reads.
    var isBright: Bool { mode != .off && brightness > 80 }
}
