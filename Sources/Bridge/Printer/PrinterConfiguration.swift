public import StoredSettings

/// The values of a printer's settings at one revision.
public struct PrinterConfiguration: Sendable, Hashable, PrinterValues {
    /// The stored values by key; a key that is absent has its default.
    public var values: [String: SettingValue]

    /// Wraps stored values.
    public init(values: [String: SettingValue] = [:]) { self.values = values }

    /// The value of a setting.
    public subscript<Value>(key: SettingsKey<Value>) -> Value {
        values[key.name].flatMap(key.value(from:)) ?? key.default
    }
}
