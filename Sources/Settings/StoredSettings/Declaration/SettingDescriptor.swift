import Synchronization

/// A declared setting without its static type, for schemas, messages and command lines.
public final class SettingDescriptor: Sendable {
    /// The name under which it is stored.
    public let name: String
    /// What it holds.
    public let type: SettingType
    /// The value as long as nothing is stored.
    public let defaultValue: JSONValue
    /// What is known of the setting beside its name and its type.
    public let metadata: SettingMetadata

    /// The value in the kind of the setting, such as 5 for 5.0; nil if it does not fit.
    let normalise: @Sendable (JSONValue) -> JSONValue?
    /// Tells the key its index in the schema.
    let setPlace: @Sendable (Int) -> Void
    let declaration: ObjectIdentifier
    let makeCell: @Sendable (_ place: Int) -> any AnyCell
    /// The ``Decoded`` value for what a record has, of the type of the key.
    let read: @Sendable (FoundValue) -> any AnyObject & Sendable
    /// Encodes what `read` has returned as it is stored.
    let encode: @Sendable (any AnyObject & Sendable) -> JSONValue

    /// Describes a declared setting.
    public init<Value>(_ key: SettingsKey<Value>) {
        name = key.name
        type = key.codec.type
        declaration = ObjectIdentifier(key)
        defaultValue = key.stored(key.default)
        metadata = key.metadata
        normalise = { key.value(from: $0).map(key.stored) }
        setPlace = { _ = key.position.compareExchange(expected: -1, desired: $0, ordering: .relaxed) }
        makeCell = { Cell(key, at: $0) }
        read = { Decoded(key.read($0).value) }
        encode = { key.stored(unsafeDowncast($0, to: Decoded<Value>.self).value) }
    }

    func found(in record: SettingsRecord?) -> FoundValue { FoundValue(name, metadata.previousKeys, in: record) }

    func differs(in one: SettingsRecord?, _ other: SettingsRecord?) -> Bool {
        if let one, let other, one.damaged.isEmpty, other.damaged.isEmpty,
            let stored = one.values[name], let otherwise = other.values[name]
        {
            // Nearly every setting ends here, with two searches.
            return !stored.isIdentical(to: otherwise)
        }
        return !found(in: one).isIdentical(to: found(in: other))
    }

    package var constraints: SettingConstraints { metadata.constraints }
    package var isSecret: Bool { metadata.isSecret }

    /// Whether a value is what people are shown in the place of this secret.
    package func isMask(_ value: JSONValue) -> Bool {
        isSecret && constraints.trimmed(value) == .string(Secret<String>.mask)
    }

    var sync: SyncPolicy? { metadata.sync }
    /// One sentence for people.
    public var documentation: String { metadata.documentation }

    /// The value as it is to be stored, or the first thing that is wrong with it.
    ///
    /// Kinds are normalised (5.0 is 5 for a whole number, a text is a secret for a secret).
    public func validate(_ value: JSONValue) -> Result<JSONValue, ValidationError> {
        judge(value).mapError { $0.faults.first ?? fault(.invalidValue, "is not accepted") }
    }

    /// The value as it is to be stored, or all that is wrong with it.
    func judge(_ value: JSONValue) -> Result<JSONValue, ValidationErrors> {
        let value = constraints.trimmed(value)
        guard let stored = normalise(value) else {
            let faults = (isSecret ? SettingType.secret(type) : type).faults(in: value, at: name)
            guard faults.isEmpty else { return .failure(ValidationErrors(faults)) }
            // The kind is right, and the type refuses the value.
            let message = type.namesItsValues ? "must be \(type.expectation)" : "is not accepted"
            return .failure(ValidationErrors([fault(.invalidValue, message)]))
        }
        if stored != defaultValue, let (code, message) = constraints.fault(of: type.constrained(stored)) {
            // A number's default may be outside of its range.
            let alternative = defaultValue.intValue.map(JSONValue.int).flatMap(constraints.fault(of:)) != nil
            return .failure(ValidationErrors([fault(code, alternative ? "\(message), or \(defaultValue)" : message)]))
        }
        return .success(stored)
    }

    /// The value that `text` means, as command lines and environment variables give it.
    ///
    /// Texts stay as they are; `true`, `yes`, `on` and `1` and their opposites are truth values; a list is JSON.
    public func validate(text: String) -> Result<JSONValue, ValidationError> {
        switch type.base {
        case .string: return validate(.string(text))
        case .bool:
            switch text.lowercased() {
            case "true", "yes", "on", "1": return validate(.bool(true))
            case "false", "no", "off", "0": return validate(.bool(false))
            default: return .failure(fault(.wrongType, "must be \(type.expectation)"))
            }
        case let type where type.isTextBeyondNumbers && Int(text) == nil: return validate(.string(text))
        default:
            guard let value = try? JSONValue(json: text) else {
                return .failure(fault(.wrongType, "must be \(type.expectation)"))
            }
            return validate(value)
        }
    }

    private func fault(_ code: ValidationError.Code, _ message: String) -> ValidationError {
        ValidationError(path: name, code: code, message: message)
    }
}

extension SettingType {
    /// A stored value as constraints validate it: a secret text stays secret, because a fault may quote a text.
    func constrained(_ stored: JSONValue) -> JSONValue {
        // A secret that is no text is sealed as JSON.
        guard case .secret(let secret) = stored, !isText else { return stored }
        return (try? JSONValue(exactly: secret.reveal().utf8)) ?? stored
    }

    /// Whether ``expectation`` says which values there are, and not only of what kind they are.
    fileprivate var namesItsValues: Bool {
        switch self {
        case .choice, .json, .integer: true
        case .string(let format): format != nil
        case .optional(let type), .secret(let type): type.namesItsValues
        default: false
        }
    }
}
