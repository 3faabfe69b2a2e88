public import Secrets

/// A value as stores hold it and messages carry it: JSON, and secrets.
///
/// Its description is JSON in which secrets are masked, so that it can be logged.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int)
    /// Any other number; always finite when it came from JSON.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
    /// A secret text: sealed by stores, masked in JSON.
    case secret(Secret<String>)
    /// A value that no store takes, and why, as in 'it has …'; null in JSON.
    case unstorable(String)

    /// The truth value, if it is one.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The whole number, also when it was written as 5.0.
    public var intValue: Int? {
        switch self {
        case .int(let value): value
        // Beyond 2^53 a double may be the rounding of another whole number.
        case .double(let value): abs(value) < 0x1p53 ? Int(exactly: value) : nil
        default: nil
        }
    }

    /// The number.
    public var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The text, if it is one that is not secret.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The list, if it is one.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The named values, if it is an object.
    public var objectValue: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// What it is called in a sentence: 'a string', 'an integer'.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .int: "an integer"
        case .double: "a number"
        case .string, .secret: "a string"
        case .array: "a list"
        case .object: "an object"
        case .unstorable: "nothing that can be stored"
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// JSON with the secrets masked.
    public var description: String { json() }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; the last of equal names wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
