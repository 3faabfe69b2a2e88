/// What values of a setting are accepted, from outside and from code.
///
/// The default of a key is always accepted.
public struct SettingConstraints: Sendable {
    /// The least and greatest whole number, by the range of the declaration.
    public private(set) var range: ClosedRange<Int>?
    /// The least and greatest number, by the range of the declaration.
    public private(set) var bounds: ClosedRange<Double>?
    /// The least and greatest length of a text, in Unicode scalars, as JSON Schema counts.
    public var length: ClosedRange<Int>?
    /// The only values accepted.
    public var allowed: [JSONValue]?
    /// Whether a text from outside loses the blanks at its ends; a text from code does not.
    public var trimsBlanks: Bool
    /// Returns the fault of a text, such as 'must be an address'; nil for a valid text.
    ///
    /// The text may be a secret, so the fault must not quote it.
    public var check: (@Sendable (String) -> String?)?
    /// Checks the range of the declaration, in the order of its type; nil for a value inside.
    private var rangeFault: (@Sendable (JSONValue) -> String?)?

    /// Limits values by the given arguments; an argument that is left out limits nothing.
    public init(
        length: ClosedRange<Int>? = nil,
        allowed: [JSONValue]? = nil,
        trimsBlanks: Bool = false,
        check: (@Sendable (String) -> String?)? = nil
    ) {
        self.length = length
        self.allowed = allowed
        self.trimsBlanks = trimsBlanks
        self.check = check
    }

    /// No constraints.
    public static let none = SettingConstraints()

    /// Some values only.
    public static func allowed(_ values: [JSONValue]) -> SettingConstraints { SettingConstraints(allowed: values) }

    var isConstraining: Bool {
        rangeFault != nil || length != nil || allowed != nil || check != nil
    }

    /// A value from outside without the blanks that these constraints leave out.
    func trimmed(_ value: JSONValue) -> JSONValue { trimsBlanks ? value.trimmed : value }

    /// What is wrong with `value`, without a path; nil if it is accepted.
    func fault(of value: JSONValue) -> (code: ValidationError.Code, message: String)? {
        if let fault = rangeFault?(value.inClear) { return (.outOfRange, fault) }
        if let allowed, !allowed.contains(where: { $0.isSame(as: value) }) {
            return (.invalidValue, "must be one of " + allowed.map(\.description).joined(separator: ", "))
        }
        switch value {
        case .string(let text): return fault(ofText: text)
        case .secret(let text):
            guard let fault = fault(ofText: text.reveal()) else { return nil }
            // A check may quote what it looked at.
            let quotes = !text.reveal().allSatisfy(\.isWhitespace) && fault.message.contains(text.reveal())
            return (fault.code, quotes ? "is not accepted" : fault.message)
        default: return nil
        }
    }

    private func fault(ofText text: String) -> (code: ValidationError.Code, message: String)? {
        if let length {
            let count = text.unicodeScalars.count
            if count > length.upperBound {
                return (.tooLong, "must be at most \(length.upperBound) characters, and has \(count)")
            }
            if count == 0, length.lowerBound == 1 { return (.tooShort, "must not be empty") }
            if count < length.lowerBound {
                return (.tooShort, "must be at least \(length.lowerBound) characters, and has \(count)")
            }
        }
        return check?(text).map { (.invalidValue, $0) }
    }

    /// These constraints, and a range, in the form in which its values are stored.
    func within<Value: SettingRepresentable & Comparable>(_ range: ClosedRange<Value>) -> SettingConstraints {
        var constraints = self
        let codec = Value.settingCodec
        let (least, greatest) = (codec.encode(range.lowerBound), codec.encode(range.upperBound))
        constraints.rangeFault = { stored in
            guard let value = codec.decode(stored), !range.contains(value) else { return nil }
            // JSON has no infinity.
            let bounds = [least, greatest].map { if case .double(let number) = $0 { "\(number)" } else { "\($0)" } }
            return "must be from \(bounds[0]) to \(bounds[1])"
        }
        // A schema tells no other ranges: dates, decimals and long integers are texts, and raw values have an order of their
        // own.
        switch (least, greatest) {
        case (.double(let least), .double(let greatest)) where Value.self is any BinaryFloatingPoint.Type:
            constraints.bounds = least...greatest
        case (.int(let least), .int(let greatest)) where Value.self is any BinaryInteger.Type:
            constraints.range = least...greatest
        default: break
        }
        return constraints
    }
}

extension JSONValue {
    /// A text without the blanks at its ends; a text of blanks alone, and any other value, as it is.
    var trimmed: JSONValue {
        guard case .string(let text) = self, let start = text.firstIndex(where: { !$0.isWhitespace }),
            let end = text.lastIndex(where: { !$0.isWhitespace })
        else { return self }
        return .string(String(text[start...end]))
    }

    /// Whether both are one value: a secret counts as its text, and 5.0 as 5.
    fileprivate func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.int(let whole), .double(let number)), (.double(let number), .int(let whole)):
            Int(exactly: number) == whole
        default: inClear == other.inClear
        }
    }

    fileprivate var inClear: JSONValue { if case .secret(let text) = self { .string(text.reveal()) } else { self } }
}
