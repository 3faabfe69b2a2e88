// A secret is sealed as text: a text as it is, anything else as JSON. None is no secret, and stays null.
extension SettingConvertible {
    /// The value as it is stored where it is secret.
    var sealed: StoredValue {
        let stored = stored
        switch stored {
        case .null, .secret, .unstorable: return stored
        case .string(let text) where Self.settingType.isText: return .secret(Secret(text))
        default: return stored.storageFault.map(StoredValue.unstorable) ?? .secret(Secret(stored.json()))
        }
    }

    /// The value of a sealed text.
    init?(unsealing text: Secret<String>) {
        let text = text.reveal()
        if Self.settingType.isText, let value = Self(stored: .string(text)) {
            self = value
        } else if let stored = try? StoredValue(exactly: text.utf8), let value = Self(stored: stored) {
            self = value
        } else {
            return nil
        }
    }
}

extension Secret: SettingConvertible where Value: SettingConvertible {
    /// A value that is sealed when stored.
    public static var settingType: SettingType { .secret(Value.settingType) }

    /// A stored secret, or a plain value that becomes one.
    public init?(stored: StoredValue) {
        if case .secret(let text) = stored {
            // A secret within a secret is sealed once.
            guard let value = Value(unsealing: text) ?? Value(stored: stored) else { return nil }
            self.init(value)
        } else {
            guard let value = Value(stored: stored) else { return nil }
            self.init(value)
        }
    }

    /// The secret as it is stored.
    public var stored: StoredValue { reveal().sealed }
}
