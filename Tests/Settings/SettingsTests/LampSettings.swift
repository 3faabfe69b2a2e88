import Observation
import StoredSettings

enum LampMode: String, SettingRepresentable, CaseIterable {
    case off, steady, blink
}

/// A model as users write it by hand, and a macro will.
final class LampSettings: SettingsModel, Sendable {
    struct SettingKeys: Sendable {}

    static let keys = SettingKeys()
    static let name = SettingsKey("name", default: "lamp", SettingMetadata(constraints: .length(1...8)))
    static let brightness = SettingsKey(
        "brightness",
        default: 50,
        SettingMetadata(constraints: .range(0...100), documentation: "In percent.")
    )
    static let mode = SettingsKey("mode", default: LampMode.off)
    static let code = SettingsKey("code", default: Secret(""), SettingMetadata(constraints: .length(4...16)))
    static let address = SettingsKey(
        "address",
        default: "",
        SettingMetadata(constraints: SettingConstraints { $0.contains(" ") ? "must not contain spaces" : nil })
    )
    static let gain = SettingsKey("gain", default: 1.0, SettingMetadata(constraints: SettingConstraints(bounds: 0...2)))
    static let group = SettingsKey<String?>("group", default: nil)
    static let hours = SettingsKey("hours", default: 50)
    static let isOn = SettingsKey("is_on", default: false)
    static let schema = SettingsSchema(name, brightness, mode, code, address, gain, group, hours, isOn)

    let storage: SettingsStorage

    init(_ storage: SettingsStorage) { self.storage = storage }

    convenience init(scope: String = "lamp/a", store: any SettingsStore) {
        self.init(SettingsStorage(scope: scope, schema: Self.schema, store: store))
    }

    var name: String {
        get { storage[Self.name] }
        set { storage[Self.name] = newValue }
    }

    var brightness: Int {
        get { storage[Self.brightness] }
        set { storage[Self.brightness] = newValue }
    }

    var hours: Int {
        get { storage[Self.hours] }
        set { storage[Self.hours] = newValue }
    }

    var mode: LampMode {
        get { storage[Self.mode] }
        set { storage[Self.mode] = newValue }
    }

    var code: Secret<String> {
        get { storage[Self.code] }
        set { storage[Self.code] = newValue }
    }

    var group: String? {
        get { storage[Self.group] }
        set { storage[Self.group] = newValue }
    }

    /// Derived, and observed through what it reads.
    var isBright: Bool { mode != .off && brightness > 80 }
}
