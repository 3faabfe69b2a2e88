import Platform

/// A type that says itself how its values are stored.
///
/// A type with raw values, and any other `Codable` type, can be a setting without the conformance. With it, the values can
/// also be in sets and in nested collections, and have a range. A type with raw values gets ``settingCodec`` for nothing.
public protocol SettingRepresentable: Sendable, Hashable {
    /// How values are stored and read.
    static var settingCodec: SettingCodec<Self> { get }
}

extension SettingRepresentable {
    /// The value that was stored; nil for one of another kind.
    package init?(stored: JSONValue) {
        guard let value = Self.settingCodec.decode(stored) else { return nil }
        self = value
    }

    package var stored: JSONValue { Self.settingCodec.encode(self) }
}

extension SettingRepresentable where Self: RawRepresentable, RawValue: SettingRepresentable {
    /// Values are stored as their raw values.
    public static var settingCodec: SettingCodec<Self> { .raw }
}

/// How the values of one type are stored, and which of them count as equal.
public struct SettingCodec<Value>: Sendable {
    /// What a schema says of the type.
    public let type: SettingType
    /// Gives the value as it is stored.
    public let encode: @Sendable (Value) -> JSONValue
    /// Gives the value that was stored; nil for one of another kind.
    public let decode: @Sendable (JSONValue) -> Value?
    /// Whether replacing one value by the other is no change for observers.
    let areEqual: @Sendable (Value, Value) -> Bool
}

extension SettingCodec where Value: Equatable & Sendable {
    /// Describes how values are stored; values that are `==` count as equal.
    public init(
        _ type: SettingType,
        encode: @escaping @Sendable (Value) -> JSONValue,
        decode: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(type: type, encode: encode, decode: decode) { $0 == $1 }
    }

    static func text(
        _ format: SettingType.TextFormat,
        encode: @escaping @Sendable (Value) -> String,
        decode: @escaping @Sendable (String) -> Value?
    ) -> Self {
        Self(.string(format)) {
            .string(encode($0))
        } decode: {
            $0.stringValue.flatMap(decode)
        }
    }
}

extension SettingCodec where Value: RawRepresentable & Sendable, Value.RawValue: SettingRepresentable {
    static var raw: Self {
        let raw = Value.RawValue.settingCodec
        let cases = (Value.self as? any CaseIterable.Type).map { rawCases($0) } ?? []
        return Self(type: cases.isEmpty ? raw.type : .choice(raw.type, cases)) {
            raw.encode($0.rawValue)
        } decode: {
            raw.decode($0).flatMap { Value(rawValue: $0) }
        } areEqual: {
            raw.areEqual($0.rawValue, $1.rawValue)
        }
    }

    private static func rawCases<Cases: CaseIterable>(_ type: Cases.Type) -> [JSONValue] {
        type.allCases.compactMap { ($0 as? Value)?.rawValue.stored }
    }
}

extension SettingCodec where Value: Codable & Sendable {
    /// Stores values as JSON; a value with a number beyond signed 64 bits or the digits of `Double` as text that is JSON.
    static var json: Self { Self(type: .json, encode: stored, decode: value, areEqual: areEqual) }

    private static func stored(_ value: Value) -> JSONValue {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let json = try encoder.encode(value)
            let exact = try? JSONValue(exactly: json, keepsDigits: true)
            let stored = exact ?? .string(String(decoding: json, as: UTF8.self))
            return stored == .null && isSome(value) ? .readAsNil : stored
        } catch let EncodingError.invalidValue(value, _) where value is any FloatingPoint {
            return .unstorable("a number that is not finite")
        } catch {
            // Not the encoder's own words: they may quote a secret.
            return .unstorable("a value that its type cannot encode")
        }
    }

    /// Whether it is an optional that is not nil.
    private static func isSome(_ value: Value) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && !mirror.children.isEmpty
    }

    private static func value(_ stored: JSONValue) -> Value? {
        // As JSON, a secret is its mask, and what no store holds is null.
        if case .secret = stored { return nil }
        if case .unstorable = stored { return nil }
        let decoder = JSONDecoder()
        if let value = try? decoder.decode(Value.self, from: Data(stored.jsonBytes())) { return value }
        return stored.stringValue.flatMap { try? decoder.decode(Value.self, from: Data($0.utf8)) }
    }

    /// The type's own `==` where it has one, except that not-a-number is one value; otherwise what is stored decides.
    private static func areEqual(_ one: Value, _ other: Value) -> Bool {
        func isEqual<Own: Equatable>(_ one: Own) -> Bool { one == (other as? Own) }
        func isSame<Number: FloatingPoint>(_ one: Number) -> Bool { (other as? Number).map(one.isEqualOrNaN) ?? false }
        if let number = one as? any FloatingPoint { return isSame(number) }
        if let one = one as? any Equatable { return isEqual(one) }
        let stored = stored(one)
        // Values that cannot be stored never count as equal.
        return stored.storageFault == nil && stored.isIdentical(to: Self.stored(other))
    }
}

extension SettingCodec {
    /// The same values as secrets: a text as it is, anything else as JSON; null is no secret, and stays null.
    func sealed() -> Self {
        let isText = type.isText
        return Self(type: type) { value in
            let stored = encode(value)
            if case .string(let text) = stored, isText { return .secret(Secret(text)) }
            return stored.sealed
        } decode: { stored in
            if let value = decode(stored) { return value }
            guard case .secret(let secret) = stored else { return nil }
            let text = secret.reveal()
            if isText, let value = decode(.string(text)) { return value }
            return (try? JSONValue(exactly: text.utf8)).flatMap(decode)
        } areEqual: {
            areEqual($0, $1)
        }
    }
}
