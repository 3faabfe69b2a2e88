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
