// What does not fit into 64 bits with a sign is stored as decimal text: no number of JSON would hold it.
extension SettingConvertible where Self: FixedWidthInteger {
    /// A whole number of this width.
    public static var settingType: SettingType { .integer(bits: bitWidth, isSigned: isSigned) }

    /// A stored whole number that is in range, also when it was written as 5.0.
    public init?(stored: StoredValue) {
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
    public var stored: StoredValue { Int(exactly: self).map(StoredValue.int) ?? .string(description) }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension Int: SettingConvertible {}
extension Int8: SettingConvertible {}
extension Int16: SettingConvertible {}
extension Int32: SettingConvertible {}
extension Int64: SettingConvertible {}
extension Int128: SettingConvertible {}
extension UInt: SettingConvertible {}
extension UInt8: SettingConvertible {}
extension UInt16: SettingConvertible {}
extension UInt32: SettingConvertible {}
extension UInt64: SettingConvertible {}
extension UInt128: SettingConvertible {}

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
