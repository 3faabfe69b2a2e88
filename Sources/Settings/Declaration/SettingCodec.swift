#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the values of one type are stored, and which of them count as equal.
struct SettingCodec<Value: Sendable>: Sendable {
    let type: SettingType
    /// The value as it is stored.
    let encode: @Sendable (Value) -> SettingValue
    /// The value that was stored; nil for one of another kind.
    let decode: @Sendable (SettingValue) -> Value?
    /// Whether an assignment of the one over the other concerns observers.
    let areEqual: @Sendable (Value, Value) -> Bool
}

extension SettingCodec where Value: SettingRepresentable {
    /// As the type says itself.
    static var own: Self {
        Self(type: Value.settingType, encode: \.stored, decode: { Value(stored: $0) }, areEqual: { $0 == $1 })
    }
}

extension SettingCodec where Value: RawRepresentable, Value.RawValue: SettingRepresentable {
    /// By the raw value.
    static var raw: Self {
        let cases = (Value.self as? any CaseIterable.Type).map { rawCases($0) } ?? []
        let type = Value.RawValue.settingType
        return Self(
            type: cases.isEmpty ? type : .choice(type, cases),
            encode: { $0.rawValue.stored },
            decode: { Value.RawValue(stored: $0).flatMap { Value(rawValue: $0) } },
            areEqual: { $0.rawValue == $1.rawValue }
        )
    }

    private static func rawCases<Cases: CaseIterable>(_ type: Cases.Type) -> [SettingValue] {
        type.allCases.compactMap { ($0 as? Value)?.rawValue.stored }
    }
}

extension SettingCodec where Value: Codable {
    /// As JSON; a whole number of more than 64 bits with a sign makes all of the value a text that is JSON.
    static var json: Self {
        Self(type: .json, encode: stored, decode: value, areEqual: areEqual)
    }

    private static func stored(_ value: Value) -> SettingValue {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let json = try encoder.encode(value)
            return (try? SettingValue(exactly: json)) ?? .string(String(decoding: json, as: UTF8.self))
        } catch let EncodingError.invalidValue(value, _) where value is any FloatingPoint {
            return .unstorable("a number that is not finite")
        } catch {
            // Not the encoder's own words: they may quote a secret.
            return .unstorable("a value that its type cannot encode")
        }
    }

    private static func value(_ stored: SettingValue) -> Value? {
        let decoder = JSONDecoder()
        if let value = try? decoder.decode(Value.self, from: Data(stored.jsonBytes())) { return value }
        guard let text = stored.stringValue else { return nil }
        return try? decoder.decode(Value.self, from: Data(text.utf8))
    }

    /// The type's own `==` where it has one; what is stored decides elsewhere.
    private static func areEqual(_ one: Value, _ other: Value) -> Bool {
        guard let one = one as? any Equatable else { return stored(one).isIdentical(to: stored(other)) }
        return isEqual(one, to: other)
    }

    private static func isEqual<Own: Equatable>(_ one: Own, to other: Value) -> Bool { one == (other as? Own) }
}

extension SettingCodec {
    /// Values of another type, one of these values each.
    func optional() -> SettingCodec<Value?> {
        SettingCodec<Value?>(
            type: .optional(type),
            encode: { [encode] in $0.map(encode) ?? .null },
            decode: { [decode] in $0 == .null ? .some(nil) : decode($0).map(Optional.some) },
            areEqual: { [areEqual] one, other in
                guard let one, let other else { return (one == nil) == (other == nil) }
                return areEqual(one, other)
            }
        )
    }

    func array() -> SettingCodec<[Value]> {
        SettingCodec<[Value]>(
            type: .array(type),
            encode: { [encode] in .array($0.map(encode)) },
            decode: { [decode] stored in
                guard let values = stored.arrayValue else { return nil }
                let elements = values.compactMap(decode)
                return elements.count == values.count ? elements : nil
            },
            areEqual: { [areEqual] in $0.count == $1.count && zip($0, $1).allSatisfy(areEqual) }
        )
    }

    func dictionary() -> SettingCodec<[String: Value]> {
        SettingCodec<[String: Value]>(
            type: .dictionary(type),
            encode: { [encode] in .object($0.mapValues(encode)) },
            decode: { [decode] stored in
                guard let members = stored.objectValue else { return nil }
                let values = members.compactMapValues(decode)
                return values.count == members.count ? values : nil
            },
            areEqual: { [areEqual] one, other in
                one.count == other.count
                    && one.allSatisfy { key, value in other[key].map { areEqual(value, $0) } ?? false }
            }
        )
    }

    /// The same values, sealed as text: a text as it is, anything else as JSON; none is no secret, and stays null.
    func sealed() -> Self {
        let isText = type.isText
        return Self(
            type: type,
            encode: { [encode] value in
                let stored = encode(value)
                switch stored {
                case .null, .secret, .unstorable: return stored
                case .string(let text) where isText: return .secret(Secret(text))
                default: return stored.storageFault.map(SettingValue.unstorable) ?? .secret(Secret(stored.json()))
                }
            },
            decode: { [decode] stored in
                if let value = decode(stored) { return value }
                guard case .secret(let secret) = stored else { return nil }
                let text = secret.reveal()
                if isText, let value = decode(.string(text)) { return value }
                return (try? SettingValue(exactly: text.utf8)).flatMap(decode)
            },
            areEqual: areEqual
        )
    }
}

extension Secret: SettingRepresentable where Value: SettingRepresentable {
    private static var codec: SettingCodec<Value> { SettingCodec<Value>.own.sealed() }

    /// A value that is sealed when stored.
    public static var settingType: SettingType { .secret(Value.settingType) }

    /// A stored secret, or a plain value that becomes one.
    public init?(stored: SettingValue) {
        guard let value = Self.codec.decode(stored) else { return nil }
        self.init(value)
    }

    /// The secret as it is stored.
    public var stored: SettingValue { Self.codec.encode(reveal()) }
}
