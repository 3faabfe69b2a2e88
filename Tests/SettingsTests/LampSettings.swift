import Observation
import Settings

enum LampMode: String, SettingConvertible, CaseIterable {
    case off, steady, blink
}

/// A model as users write it by hand, and a macro will.
final class LampSettings: Observable, Sendable {
    static let name = SettingsKey("name", default: "lamp", limits: .length(1...8))
    static let brightness = SettingsKey(
        "brightness",
        default: 50,
        limits: .range(0...100),
        documentation: "In percent."
    )
    static let mode = SettingsKey("mode", default: LampMode.off)
    static let code = SettingsKey("code", default: Secret(""), limits: .length(4...16))
    static let address = SettingsKey(
        "address",
        default: "",
        limits: SettingLimits(pattern: "^[^ ]+$") { $0.contains(" ") ? "must not contain spaces" : nil }
    )
    static let gain = SettingsKey("gain", default: 1.0, limits: SettingLimits(bounds: 0...2))
    static let group = SettingsKey<String?>("group", default: nil)
    static let hours = SettingsKey("hours", default: 50)
    static let isOn = SettingsKey("is_on", default: false)
    static let schema = SettingsSchema(name, brightness, mode, code, address, gain, group, hours, isOn)

    let backing: SettingsBacking

    init(_ backing: SettingsBacking) { self.backing = backing }

    convenience init(scope: String = "lamp/a", store: any SettingsStore) {
        self.init(SettingsBacking(scope: scope, schema: Self.schema, store: store))
    }

    var name: String {
        get { backing[Self.name] }
        set { backing[Self.name] = newValue }
    }

    var brightness: Int {
        get { backing[Self.brightness] }
        set { backing[Self.brightness] = newValue }
    }

    var hours: Int {
        get { backing[Self.hours] }
        set { backing[Self.hours] = newValue }
    }

    var mode: LampMode {
        get { backing[Self.mode] }
        set { backing[Self.mode] = newValue }
    }

    var code: Secret<String> {
        get { backing[Self.code] }
        set { backing[Self.code] = newValue }
    }

    var group: String? {
        get { backing[Self.group] }
        set { backing[Self.group] = newValue }
    }

    /// Derived, and observed through what it reads.
    var isBright: Bool { mode != .off && brightness > 80 }
}
