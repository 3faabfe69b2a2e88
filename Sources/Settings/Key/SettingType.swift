/// What a setting holds, as far as a schema or a form has to know.
public indirect enum SettingType: Sendable, Hashable {
    /// True or false.
    case bool
    /// A whole number.
    case int
    /// Any finite number.
    case double
    /// A text.
    case string
    /// A text that is sealed when stored and masked when shown.
    case secret
    /// One of some values of a simpler type.
    case choice(SettingType, [StoredValue])
    /// A value, or none.
    case optional(SettingType)
    /// A list of values.
    case array(SettingType)

    /// What is expected, for a sentence: 'an integer'.
    public var expectation: String {
        switch self {
        case .bool: "true or false"
        case .int: "an integer"
        case .double: "a number"
        case .string, .secret: "a string"
        case .choice(_, let values): "one of " + values.map(\.description).joined(separator: ", ")
        case .optional(let type): type.expectation + " or null"
        case .array: "a list"
        }
    }

    /// The type below optionals and choices.
    var base: SettingType {
        switch self {
        case .choice(let type, _), .optional(let type): type.base
        default: self
        }
    }
}
