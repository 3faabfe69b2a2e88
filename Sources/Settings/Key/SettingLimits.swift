/// What values of a setting are accepted, from outside and from code.
///
/// The default of a key is always accepted.
public struct SettingLimits: Sendable {
    /// The least and greatest whole number.
    public var range: ClosedRange<Int>?
    /// The least and greatest number.
    public var bounds: ClosedRange<Double>?
    /// The least and greatest length of a text, in Unicode scalars, as JSON Schema counts.
    public var length: ClosedRange<Int>?
    /// The only values accepted.
    public var allowed: [StoredValue]?
    /// A regular expression that describes the accepted texts in the schema; ``check`` is what enforces it.
    public var pattern: String?
    /// Looks at a text, also a secret one, and says what is wrong as in 'must be an address', or nil.
    public var check: (@Sendable (String) -> String?)?

    /// Limits nothing that is not named.
    public init(
        range: ClosedRange<Int>? = nil,
        bounds: ClosedRange<Double>? = nil,
        length: ClosedRange<Int>? = nil,
        allowed: [StoredValue]? = nil,
        pattern: String? = nil,
        check: (@Sendable (String) -> String?)? = nil
    ) {
        self.range = range
        self.bounds = bounds
        self.length = length
        self.allowed = allowed
        self.pattern = pattern
        self.check = check
    }

    /// No limits.
    public static let none = SettingLimits()

    /// Whole numbers from the least to the greatest.
    public static func range(_ range: ClosedRange<Int>) -> SettingLimits { SettingLimits(range: range) }

    /// Texts of some length, in Unicode scalars.
    public static func length(_ length: ClosedRange<Int>) -> SettingLimits { SettingLimits(length: length) }

    /// Some values only.
    public static func allowed(_ values: [StoredValue]) -> SettingLimits { SettingLimits(allowed: values) }

    /// Whether there is anything to look at.
    var isLimiting: Bool { range != nil || bounds != nil || length != nil || allowed != nil || check != nil }

    /// What is wrong with `value`, without a path; nil if it is accepted.
    func fault(of value: StoredValue) -> (code: SettingFault.Code, message: String)? {
        if let range, let number = value.intValue, !range.contains(number) {
            return (.outOfRange, "must be from \(range.lowerBound) to \(range.upperBound)")
        }
        if let bounds, let number = value.doubleValue, !bounds.contains(number) {
            return (.outOfRange, "must be from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        if let allowed, !allowed.contains(where: { $0.inClear == value.inClear }) {
            return (.invalidValue, "must be one of " + allowed.map(\.description).joined(separator: ", "))
        }
        switch value {
        case .string(let text): return fault(ofText: text)
        case .secret(let text):
            guard let fault = fault(ofText: text.reveal()) else { return nil }
            // A check may quote what it looked at.
            let quotes = !text.isEmpty && fault.message.contains(text.reveal())
            return (fault.code, quotes ? "is not accepted" : fault.message)
        default: return nil
        }
    }

    private func fault(ofText text: String) -> (code: SettingFault.Code, message: String)? {
        if let length {
            let count = text.unicodeScalars.count
            if count > length.upperBound {
                return (.tooLong, "must be at most \(length.upperBound) characters, and has \(count)")
            }
            if count < length.lowerBound {
                return (.tooShort, "must be at least \(length.lowerBound) characters, and has \(count)")
            }
        }
        return check?(text).map { (.invalidValue, $0) }
    }
}

extension StoredValue {
    /// A secret as the text that it is.
    fileprivate var inClear: StoredValue {
        if case .secret(let text) = self { .string(text.reveal()) } else { self }
    }
}
