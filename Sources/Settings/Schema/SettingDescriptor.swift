/// A declared setting without its static type, for schemas, messages and command lines.
public struct SettingDescriptor: Sendable {
    /// The name under which it is stored.
    public let name: String
    /// What it holds.
    public let type: SettingType
    /// The value as long as nothing is stored.
    public let defaultValue: StoredValue
    /// What is accepted from outside.
    public let limits: SettingLimits
    /// Whether it is sealed when stored, and masked when shown.
    public let isSecret: Bool
    /// What wins when a remote store has a value of its own; nil for a setting that stays here.
    public let sync: SyncPolicy?
    /// One sentence for people.
    public let documentation: String

    /// The value in its own kind; nil if it does not fit.
    let normalise: @Sendable (StoredValue) -> StoredValue?
    /// Makes the setting's memory in a model.
    let makeCell: @Sendable (_ prefix: String, _ place: Int) -> any AnyCell

    /// Describes a declared setting.
    public init<Value>(_ key: SettingsKey<Value>) {
        name = key.name
        type = Value.settingType
        defaultValue = key.stored(key.default)
        limits = key.limits
        isSecret = key.isSecret
        sync = key.sync
        documentation = key.documentation
        normalise = { key.value(from: $0).map(key.stored) }
        makeCell = { Cell(key, prefix: $0, at: $1) }
    }

    /// The value as it is to be stored, or what is wrong with it.
    ///
    /// Kinds are normalised (5.0 is 5 for a whole number, a text is a secret for a secret).
    public func validate(_ value: StoredValue) -> Result<StoredValue, SettingFault> {
        guard let stored = normalise(value) else {
            // Of the right kind, and no raw value of the type: refused for what it is.
            if type.accepts(kindOf: value) {
                return .failure(fault(.invalidValue, type.isChoice ? "must be \(expectation)" : "is not accepted"))
            }
            return .failure(fault(.wrongType, "must be \(expectation), not \(value.kind)"))
        }
        if stored != defaultValue, let (code, message) = limits.fault(of: stored) {
            return .failure(fault(code, message))
        }
        return .success(stored)
    }

    /// The value that `text` means, as command lines and environment variables give it.
    ///
    /// Texts stay as they are; `true`, `yes`, `on` and `1` and their opposites are truth values; a list is JSON.
    public func validate(text: String) -> Result<StoredValue, SettingFault> {
        switch type.base {
        case .string, .secret: validate(.string(text))
        case .bool:
            switch text.lowercased() {
            case "true", "yes", "on", "1": validate(.bool(true))
            case "false", "no", "off", "0": validate(.bool(false))
            default: .failure(fault(.wrongType, "must be \(expectation)"))
            }
        default:
            if let value = try? StoredValue(json: text) {
                validate(value)
            } else {
                .failure(fault(.wrongType, "must be \(expectation)"))
            }
        }
    }

    private var expectation: String { type.expectation }

    private func fault(_ code: SettingFault.Code, _ message: String) -> SettingFault {
        SettingFault(path: name, code: code, message: message)
    }
}

extension SettingType {
    fileprivate var isChoice: Bool {
        switch self {
        case .choice: true
        case .optional(let type): type.isChoice
        default: false
        }
    }

    fileprivate func accepts(kindOf value: StoredValue) -> Bool {
        switch base {
        case .bool: value.boolValue != nil
        case .int: value.intValue != nil
        case .double: value.doubleValue != nil
        case .string, .secret: value.stringValue != nil
        default: false
        }
    }
}
