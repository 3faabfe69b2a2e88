// What does not fit into 64 bits with a sign is stored as decimal text: no number of JSON would hold it.
extension SettingRepresentable where Self: FixedWidthInteger {
    /// A whole number of this width.
    public static var settingType: SettingType { .integer(bits: bitWidth, isSigned: isSigned) }

    /// A stored whole number that is in range, also when it was written as 5.0.
    public init?(stored: SettingValue) {
        if let number = stored.intValue {
            self.init(exactly: number)
        } else if let text = stored.stringValue, Int(text) == nil {
            let digits = Self.isSigned && text.hasPrefix("-") ? text.dropFirst() : text[...]
            guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
            self.init(text)
        } else {
            return nil
        }
    }

    /// The number as it is stored.
    public var stored: SettingValue { Int(exactly: self).map(SettingValue.int) ?? .string(description) }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension Int: SettingRepresentable {}
extension Int8: SettingRepresentable {}
extension Int16: SettingRepresentable {}
extension Int32: SettingRepresentable {}
extension Int64: SettingRepresentable {}
extension Int128: SettingRepresentable {}
extension UInt: SettingRepresentable {}
extension UInt8: SettingRepresentable {}
extension UInt16: SettingRepresentable {}
extension UInt32: SettingRepresentable {}
extension UInt64: SettingRepresentable {}
extension UInt128: SettingRepresentable {}

extension Double: SettingRepresentable {
    /// Any finite number.
    public static var settingType: SettingType { .double }

    /// A stored number.
    public init?(stored: SettingValue) {
        guard let value = stored.doubleValue else { return nil }
        self = value
    }

    /// The value as it is stored; no store takes one that is not finite.
    public var stored: SettingValue { .double(self) }
}

extension Float: SettingRepresentable {
    /// Any finite number.
    public static var settingType: SettingType { .double }

    /// A stored number, rounded to the nearest that there is; none that would become infinite.
    public init?(stored: SettingValue) {
        guard let value = stored.doubleValue else { return nil }
        self.init(value)
        if isInfinite, value.isFinite { return nil }
    }

    /// The value as it is stored: 0.1 as 0.1, not as 0.10000000149; no store takes one that is not finite.
    public var stored: SettingValue {
        // The decimal text is short, and in rare cases nearer to another number once it is rounded twice.
        if let short = Double(description), Float(short) == self { return .double(short) }
        return .double(Double(self))
    }
}
