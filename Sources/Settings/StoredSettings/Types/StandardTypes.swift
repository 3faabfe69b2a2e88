extension Bool: SettingRepresentable {
    /// True or false.
    public static var settingCodec: SettingCodec<Bool> {
        SettingCodec(.bool, encode: JSONValue.bool, decode: \.boolValue)
    }
}

extension String: SettingRepresentable {
    /// A text; a secret is not one.
    public static var settingCodec: SettingCodec<String> {
        SettingCodec(.string, encode: JSONValue.string, decode: \.stringValue)
    }
}

extension Double: SettingRepresentable {
    /// Any number; no store takes one that is not finite.
    public static var settingCodec: SettingCodec<Double> {
        SettingCodec(type: .double, encode: JSONValue.double, decode: \.doubleValue) { $0.isEqualOrNaN($1) }
    }
}

extension Float: SettingRepresentable {
    /// A number: 0.1 is stored as 0.1, not as 0.10000000149; a number that would become infinite is not read.
    public static var settingCodec: SettingCodec<Float> {
        SettingCodec(type: .double) { value in
            // The decimal text is short, and in rare cases nearer to another number once it is rounded twice.
            if let short = Double(value.description), Float(short) == value { return .double(short) }
            return .double(Double(value))
        } decode: { stored in
            guard let number = stored.doubleValue else { return nil }
            let value = Float(number)
            return value.isInfinite && number.isFinite ? nil : value
        } areEqual: {
            $0.isEqualOrNaN($1)
        }
    }
}

extension FloatingPoint {
    /// Whether both are equal or both are NaN: a change from NaN to NaN is not observed.
    @usableFromInline
    func isEqualOrNaN(_ other: Self) -> Bool { self == other || isNaN && other.isNaN }
}

extension SettingRepresentable where Self: FixedWidthInteger {
    /// A whole number in range, also when it was written as 5.0.
    ///
    /// What does not fit into 64 bits with a sign is stored as decimal text: no number of JSON would hold it.
    public static var settingCodec: SettingCodec<Self> {
        SettingCodec(.integer(bits: bitWidth, isSigned: isSigned)) {
            Int(exactly: $0).map(JSONValue.int) ?? .string($0.description)
        } decode: { stored in
            if let number = stored.intValue { return Self(exactly: number) }
            guard let text = stored.stringValue, Int(text) == nil else { return nil }
            let digits = isSigned && text.hasPrefix("-") ? text.dropFirst() : text[...]
            return digits.allSatisfy { ("0"..."9").contains($0) } ? Self(text) : nil
        }
    }
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

extension Set: SettingRepresentable where Element: SettingRepresentable {
    /// A list without repetitions, in an order that depends on the elements alone.
    public static var settingCodec: SettingCodec<Set<Element>> {
        let element = Element.settingCodec
        return SettingCodec(.set(element.type)) { elements in
            .array(elements.map(element.encode).map { ($0, $0.json()) }.sorted { $0.1 < $1.1 }.map(\.0))
        } decode: { stored in
            guard let values = stored.arrayValue else { return nil }
            let elements = Set(values.compactMap(element.decode))
            return elements.count == values.count ? elements : nil
        }
    }
}

extension Secret: SettingRepresentable where Value: SettingRepresentable {
    /// A value that stores seal; a plain value that is read becomes a secret.
    public static var settingCodec: SettingCodec<Secret> {
        let sealed = Value.settingCodec.sealed()
        return SettingCodec(.secret(sealed.type)) {
            sealed.encode($0.reveal())
        } decode: {
            sealed.decode($0).map(Secret.init)
        }
    }
}
