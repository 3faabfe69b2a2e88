extension Bool: SettingRepresentable {
    /// True or false.
    public static var settingType: SettingType { .bool }

    /// A stored truth value.
    public init?(stored: SettingValue) {
        guard let value = stored.boolValue else { return nil }
        self = value
    }

    /// The value as it is stored.
    public var stored: SettingValue { .bool(self) }
}

extension String: SettingRepresentable {
    /// A text.
    public static var settingType: SettingType { .string }

    /// A stored text; a secret is not one.
    public init?(stored: SettingValue) {
        guard let value = stored.stringValue else { return nil }
        self = value
    }

    /// The value as it is stored.
    public var stored: SettingValue { .string(self) }
}

extension Optional: SettingRepresentable where Wrapped: SettingRepresentable {
    /// The wrapped type, or null.
    public static var settingType: SettingType {
        .optional(isNested ? .array(Wrapped.settingType) : Wrapped.settingType)
    }

    /// Null, or a stored value of the wrapped type.
    public init?(stored: SettingValue) {
        if stored == .null {
            self = .none
            return
        }
        var inner = stored
        if Self.isNested {
            guard case .array(let values) = stored, let only = values.first, values.count == 1 else { return nil }
            inner = only
        }
        guard let value = Wrapped(stored: inner) else { return nil }
        self = .some(value)
    }

    /// The value as it is stored; null for none, and a list of one around an optional that is there.
    public var stored: SettingValue {
        guard let self else { return .null }
        return Self.isNested ? [self.stored] : self.stored
    }

    /// Whether the wrapped value may be none itself, which null alone would not tell apart.
    private static var isNested: Bool {
        if case .optional = Wrapped.settingType { true } else { false }
    }
}
