#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A `Codable` type whose values can be settings; the conformance needs no members.
///
/// ```swift
/// struct Schedule: CodableSetting {
///     var start = 8
///     var days: Set<String> = []
/// }
/// ```
/// A type that also has raw values is stored by these: it has one form and never two.
public protocol CodableSetting: SettingConvertible, Codable {
    /// How values are written in the store; ``SettingEncoding/structured`` unless another one is declared.
    static var settingEncoding: SettingEncoding { get }
}

/// How the values of a ``CodableSetting`` are written in the store.
public enum SettingEncoding: Sendable, Hashable {
    /// As JSON within the record, readable and to be searched; whole numbers have at most 64 bits with a sign.
    case structured
    /// As a text that is JSON, in which every number keeps its digits.
    case text
}

extension CodableSetting {
    /// A tree of JSON.
    public static var settingEncoding: SettingEncoding { .structured }

    /// Any JSON value, or a text, by the declared encoding.
    public static var settingType: SettingType { settingEncoding == .text ? .string(.json) : .json }

    /// A stored value, if the type can be decoded from it.
    public init?(stored: StoredValue) {
        let json: [UInt8]
        switch (Self.settingEncoding, stored) {
        case (.text, .string(let text)): json = Array(text.utf8)
        case (.structured, _): json = stored.jsonBytes()
        default: return nil
        }
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
        self = value
    }

    /// The value as it is stored; no store takes one that could not be encoded.
    public var stored: StoredValue {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let json = try encoder.encode(self)
            if Self.settingEncoding == .text { return .string(String(decoding: json, as: UTF8.self)) }
            return try StoredValue(exactly: json)
        } catch let error as EncodingError {
            return .unstorable(error.reason)
        } catch let error as JSONError where error.code == .numberTooLarge {
            return .unstorable("a whole number of more than 64 bits with a sign; declare its settingEncoding as .text")
        } catch {
            return .unstorable("what its type could not encode")
        }
    }
}

extension CodableSetting where Self: RawRepresentable, RawValue: SettingConvertible {
    /// The type of the raw values.
    public static var settingType: SettingType { RawValue.settingType }

    /// The case with the stored raw value.
    public init?(stored: StoredValue) {
        guard let raw = RawValue(stored: stored) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value as it is stored.
    public var stored: StoredValue { rawValue.stored }
}

extension CodableSetting where Self: RawRepresentable & CaseIterable, RawValue: SettingConvertible {
    /// A choice among the raw values of all cases.
    public static var settingType: SettingType { .choice(RawValue.settingType, allCases.map(\.stored)) }
}

extension EncodingError {
    /// What is wrong, without the value, which may be secret.
    fileprivate var reason: String {
        guard case .invalidValue(let value, let context) = self else { return "what its type could not encode" }
        let place = context.codingPath.map(\.shown).joined(separator: ".")
        let what =
            value is any FloatingPoint ? "a number that is not finite" : "a \(type(of: value)) that can't be encoded"
        return place.isEmpty ? what : "\(what), at \(place)"
    }
}

extension CodingKey {
    /// Its name, if that is one of the program; that of a dictionary is a part of the value.
    fileprivate var shown: String {
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty ? stringValue : "…"
    }
}
