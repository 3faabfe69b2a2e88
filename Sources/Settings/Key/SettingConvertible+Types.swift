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

extension Int: SettingConvertible {
    /// A whole number.
    public static var settingType: SettingType { .int }

    /// A stored whole number, also when it was written as 5.0.
    public init?(stored: StoredValue) {
        guard let value = stored.intValue else { return nil }
        self = value
    }

    /// The value as it is stored.
    public var stored: StoredValue { .int(self) }
}

extension Double: SettingConvertible {
    /// Any finite number.
    public static var settingType: SettingType { .double }

    /// A stored number.
    public init?(stored: StoredValue) {
        guard let value = stored.doubleValue else { return nil }
        self = value
    }

    /// The value as it is stored.
    public var stored: StoredValue { .double(self) }
}

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

extension Secret: SettingConvertible where Value == String {
    /// A text that is sealed when stored.
    public static var settingType: SettingType { .secret }

    /// A stored secret, or a text that becomes one.
    public init?(stored: StoredValue) {
        switch stored {
        case .secret(let value): self = value
        case .string(let value): self.init(value)
        default: return nil
        }
    }

    /// The secret as it is stored.
    public var stored: StoredValue { .secret(self) }
}

extension Optional: SettingConvertible where Wrapped: SettingConvertible {
    /// The wrapped type, or null.
    public static var settingType: SettingType { .optional(Wrapped.settingType) }

    /// Null, or a stored value of the wrapped type.
    public init?(stored: StoredValue) {
        if stored == .null {
            self = .none
        } else if let value = Wrapped(stored: stored) {
            self = .some(value)
        } else {
            return nil
        }
    }

    /// The value as it is stored; null for none.
    public var stored: StoredValue { self?.stored ?? .null }
}

extension Array: SettingConvertible where Element: SettingConvertible {
    /// A list.
    public static var settingType: SettingType { .array(Element.settingType) }

    /// A stored list, if every element fits.
    public init?(stored: StoredValue) {
        guard let values = stored.arrayValue else { return nil }
        let elements = values.compactMap(Element.init(stored:))
        guard elements.count == values.count else { return nil }
        self = elements
    }

    /// The list as it is stored.
    public var stored: StoredValue { .array(map(\.stored)) }
}
