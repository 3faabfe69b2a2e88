extension String: SettingConvertible {
    /// A text.
    public static var settingType: SettingType { .string }

    /// A stored text; a secret is not one.
    public init?(stored: StoredValue) {
        guard let value = stored.stringValue else { return nil }
        self = value
    }

    /// The value as it is stored.
    public var stored: StoredValue { .string(self) }
}
