extension Bool: SettingConvertible {
    /// True or false.
    public static var settingType: SettingType { .bool }

    /// A stored truth value.
    public init?(stored: StoredValue) {
        guard let value = stored.boolValue else { return nil }
        self = value
    }

    /// The value as it is stored.
    public var stored: StoredValue { .bool(self) }
}
