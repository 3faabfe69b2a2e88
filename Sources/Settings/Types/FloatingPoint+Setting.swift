extension Double: SettingConvertible {
    /// Any finite number.
    public static var settingType: SettingType { .double }

    /// A stored number.
    public init?(stored: StoredValue) {
        guard let value = stored.doubleValue else { return nil }
        self = value
    }

    /// The value as it is stored; no store takes one that is not finite.
    public var stored: StoredValue { .double(self) }
}

extension Float: SettingConvertible {
    /// Any finite number.
    public static var settingType: SettingType { .double }

    /// A stored number, rounded to the nearest that there is; none that would become infinite.
    public init?(stored: StoredValue) {
        guard let value = stored.doubleValue else { return nil }
        self.init(value)
        if isInfinite, value.isFinite { return nil }
    }

    /// The value as it is stored: 0.1 as 0.1, not as 0.10000000149; no store takes one that is not finite.
    public var stored: StoredValue {
        // The decimal text is short, and in rare cases nearer to another number once it is rounded twice.
        if let short = Double(description), Float(short) == self { return .double(short) }
        return .double(Double(self))
    }
}
