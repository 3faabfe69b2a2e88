/// A value as stores hold it and messages carry it: JSON, and secrets.
///
/// Its description is JSON in which secrets are masked, so that it can be logged.
public enum SettingValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int)
    /// Any other number; always finite when it came from JSON.
    case double(Double)
    case string(String)
    case array([SettingValue])
    case object([String: SettingValue])
    /// A secret text: sealed by stores, masked in JSON.
    case secret(Secret<String>)
    /// A value that no store takes, and why, as in 'it has …'; null in JSON.
    case unstorable(String)
}

extension SettingValue {
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
    public var arrayValue: [SettingValue]? { if case .array(let value) = self { value } else { nil } }

    /// The named values, if it is an object.
    public var objectValue: [String: SettingValue]? { if case .object(let value) = self { value } else { nil } }

    /// The value as a secret whose text is JSON; null stays null.
    var sealed: SettingValue {
        switch self {
        case .null, .secret, .unstorable: self
        default: storageFault.map(SettingValue.unstorable) ?? .secret(Secret(json()))
        }
    }

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

    /// Why no store could give the value back as it is; nil if a store can.
    var storageFault: String? { storageFault(depth: 0) }

    private func storageFault(depth: Int) -> String? {
        switch self {
        case .double(let value): value.isFinite ? nil : "a number that is not finite"
        case .secret: depth == 0 ? nil : "a secret inside a list or object"
        case .array(let values): fault(in: values, depth: depth)
        case .object(let members): fault(in: Array(members.values), depth: depth)
        case .unstorable(let reason): reason
        case .null, .bool, .int, .string: nil
        }
    }

    private func fault(in values: [SettingValue], depth: Int) -> String? {
        guard depth < 100 else { return "more than 100 lists and objects inside one another" }
        // Not lazily: that would look twice at each level, and so 2^depth times at the deepest.
        for value in values {
            if let fault = value.storageFault(depth: depth + 1) { return fault }
        }
        return nil
    }
}

extension SettingValue: CustomStringConvertible {
    /// JSON with the secrets masked.
    public var description: String { json() }
}

extension SettingValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
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
    public init(arrayLiteral elements: SettingValue...) { self = .array(elements) }
    /// An object; the last of equal names wins.
    public init(dictionaryLiteral elements: (String, SettingValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension SettingValue {
    /// Whether both are the same to the last bit: unlike `==`, tells texts apart that only look the same, and -0 from 0.
    func isIdentical(to other: SettingValue?) -> Bool {
        switch (self, other) {
        case (.double(let one), .double(let two)?): one.bitPattern == two.bitPattern
        case (.string(let one), .string(let two)?): one.utf8.elementsEqual(two.utf8)
        case (.array(let one), .array(let two)?):
            one.count == two.count && zip(one, two).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let one), .object(let two)?):
            one.count == two.count
                && one.allSatisfy { key, value in
                    guard let place = two.index(forKey: key) else { return false }
                    return two[place].key.utf8.elementsEqual(key.utf8) && value.isIdentical(to: two[place].value)
                }
        default: self == other
        }
    }
}

extension Optional where Wrapped == SettingValue {
    func isIdentical(to other: SettingValue?) -> Bool { self?.isIdentical(to: other) ?? (other == nil) }
}
