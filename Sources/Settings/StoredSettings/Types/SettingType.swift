/// What a setting holds, as far as a schema or a form has to know.
public indirect enum SettingType: Sendable, Hashable {
    case bool
    /// A whole number of so many bits.
    case integer(bits: Int, isSigned: Bool)
    /// Any finite number.
    case double
    /// A text, in a format or in any.
    case string(TextFormat?)
    /// A value of a simpler type that is sealed when stored and masked when shown.
    case secret(SettingType)
    /// One of some values of a simpler type.
    case choice(SettingType, [JSONValue])
    case optional(SettingType)
    case array(SettingType)
    /// A list in which no value occurs twice, in no order.
    case set(SettingType)
    /// Values by name.
    case dictionary(SettingType)
    /// Any JSON value that a type of its own understands.
    case json

    /// How a text is to be read.
    public enum TextFormat: Sendable, Hashable {
        /// A moment: ISO 8601, with a zone (RFC 3339, where the year has four digits).
        case dateTime
        /// An address (RFC 3986).
        case uri
        /// A UUID (RFC 9562).
        case uuid
        case decimal
        /// Bytes in Base64 (RFC 4648, section 4).
        case base64

        fileprivate var expectation: String {
            switch self {
            case .dateTime: #"a date and time such as "2026-11-20T08:30:00Z""#
            case .uri: #"an address such as "https://example.org""#
            case .uuid: "a UUID"
            case .decimal: #"a decimal number such as "12.50""#
            case .base64: "a string in Base64"
            }
        }
    }

    /// A text in any format.
    public static let string = SettingType.string(nil)

    /// A whole number, as `Int` has them.
    public static let int = SettingType.integer(bits: Int.bitWidth, isSigned: true)

    /// The expected value in a sentence: 'an integer'.
    var expectation: String {
        switch self {
        case .bool: "true or false"
        case .integer(let bits, let isSigned):
            if let range {
                "an integer from \(range.lowerBound) to \(range.upperBound)"
            } else {
                isSigned ? "an integer" : "an integer from 0 to \(UInt128.max >> (128 - bits))"
            }
        case .double: "a number"
        case .string(let format): format?.expectation ?? "a string"
        case .secret(let type): type.expectation
        case .choice(_, let values): "one of " + values.map(\.description).joined(separator: ", ")
        case .optional(let type): type.expectation + " or null"
        case .array: "a list"
        case .set: "a list without repetitions"
        case .dictionary: "an object"
        case .json: "a JSON value as the documentation says"
        }
    }

    /// The values of a whole number that is less than 64 bits wide.
    var range: ClosedRange<Int>? {
        guard case .integer(let bits, let isSigned) = self, bits < 64 else { return nil }
        return isSigned ? -(1 << (bits - 1))...(1 << (bits - 1)) - 1 : 0...(1 << bits) - 1
    }

    /// Whether whole numbers that do not fit in a signed 64-bit integer are stored as text.
    var isTextBeyondNumbers: Bool {
        guard case .integer(let bits, let isSigned) = self else { return false }
        return bits > 64 || bits == 64 && !isSigned
    }

    /// The type inside an optional, a choice or a secret; nil for any other type.
    private var inner: SettingType? {
        switch self {
        case .choice(let type, _), .optional(let type), .secret(let type): type
        default: nil
        }
    }

    /// The type of each value in a list, a set or a dictionary; nil for any other type.
    package var element: SettingType? {
        switch self {
        case .array(let type), .set(let type), .dictionary(let type): type
        default: nil
        }
    }

    /// The type below optionals, choices and secrecy.
    package var base: SettingType { inner?.base ?? self }

    var isSecret: Bool { if case .secret = self { true } else { inner?.isSecret ?? false } }

    /// Whether it holds values that have no other form than the JSON that their `Codable` type encodes.
    var encodesItself: Bool { self == .json || (inner ?? element)?.encodesItself ?? false }

    var isText: Bool { if case .string = base { true } else { false } }
}
