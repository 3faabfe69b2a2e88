public import Synchronization

/// The declaration of one setting: its name, its type by its default, and all that is to be known of it.
///
/// ```swift
/// static let probeInterval = SettingsKey("probe_interval", default: 300, in: 15...86_400)
/// ```
public final class SettingsKey<Value: SettingConvertible>: Sendable {
    /// The name under which it is stored and by which messages call it.
    public let name: String
    /// The names that it had in earlier versions, newest first: a value stored under one of them is moved to ``name``.
    public let formerNames: [String]
    /// The value as long as nothing is stored; evaluated once.
    public let `default`: Value
    /// What is accepted.
    public let limits: SettingLimits
    /// Whether it is sealed when stored, and masked when shown.
    public let isSecret: Bool
    /// What wins when a remote store has a value of its own; nil for a setting that stays here.
    public let sync: SyncPolicy?
    /// One sentence for people.
    public let documentation: String
    /// Where it stands in the first schema that it became part of, where it is found without a search; -1 before.
    @usableFromInline let position = Atomic(-1)
    /// Whether assignments have to be looked at.
    @usableFromInline let isLimited: Bool
    /// What observers of this setting are registered for; made once for all models.
    let keyPath: SettingsCore.ObservedKeyPath

    /// Declares a setting; one of a `Secret` type is always secret.
    public init(
        _ name: String,
        default: Value,
        formerNames: [String] = [],
        limits: SettingLimits = .none,
        isSecret: Bool = false,
        sync: SyncPolicy? = nil,
        documentation: String = ""
    ) {
        self.name = name
        self.formerNames = formerNames
        self.default = `default`
        self.limits = limits
        self.isSecret = isSecret || Value.settingType.isSecret
        self.sync = sync
        self.documentation = documentation
        isLimited = limits.isLimiting
        keyPath = SettingsCore.keyPath()
    }

    /// The typed value of a stored one; nil when it is of another kind.
    public func value(from stored: StoredValue) -> Value? {
        if let value = Value(stored: stored) { return value }
        guard isSecret, case .secret(let text) = stored else { return nil }
        return Value(unsealing: text)
    }

    /// `value` as it is stored.
    public func stored(_ value: Value) -> StoredValue { isSecret ? value.sealed : value.stored }

    /// `value` as limits look at it: a text that is secret stays so, because a fault may quote a text.
    func limited(_ value: Value) -> StoredValue {
        switch value.stored {
        case .string(let text): isSecret ? .secret(Secret(text)) : .string(text)
        // A date that no calendar reaches.
        case .double(let number) where Value.settingType.isText: .string(number.description)
        case let stored: stored
        }
    }

    /// Why `value` is not accepted; nil if it is, as the default always is.
    func refusal(of value: Value) -> SettingsError? {
        guard isLimited, value != `default`, let fault = limits.fault(of: limited(value)) else { return nil }
        return SettingsError(.invalidValue, "\(name) \(fault.message)")
    }
}

extension SettingsKey: CustomReflectable {
    /// Its name and its default, masked for a secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "default": isSecret ? stored(`default`) as Any : `default`])
    }
}

extension SettingsKey where Value: Comparable {
    /// Declares a setting that holds a value from the least to the greatest.
    public convenience init(
        _ name: String,
        default: Value,
        formerNames: [String] = [],
        in range: ClosedRange<Value>,
        limits: SettingLimits = .none,
        isSecret: Bool = false,
        sync: SyncPolicy? = nil,
        documentation: String = ""
    ) {
        self.init(
            name,
            default: `default`,
            formerNames: formerNames,
            limits: limits.within(range),
            isSecret: isSecret,
            sync: sync,
            documentation: documentation
        )
    }
}

extension SettingLimits {
    /// These limits, and a range in the way in which its values are stored.
    func within<Value: SettingConvertible & Comparable>(_ range: ClosedRange<Value>) -> SettingLimits {
        var limits = self
        switch (range.lowerBound.stored, range.upperBound.stored) {
        case (.double(let least), .double(let greatest)): limits.bounds = least...greatest
        case (.int(let least), .int(let greatest)): limits.range = least...greatest
        case (let least, let greatest):
            // Stored as text: dates, decimals, whole numbers that a store's numbers do not hold.
            if Value.settingType.base.isTextBeyondNumbers {
                // Of the numbers that are no text, those between two texts are all or none.
                let isBeyond = least.intValue == nil && least.stringValue?.hasPrefix("-") == false
                limits.range = isBeyond ? .max ... .max : (least.intValue ?? .min)...(greatest.intValue ?? .max)
            }
            limits.check = { [check] text in
                if let fault = check?(text) { return fault }
                guard let value = Value(text: text), !range.contains(value) else { return nil }
                return "must be from \(least) to \(greatest)"
            }
        }
        return limits
    }
}

extension SettingConvertible {
    /// The value of a text that ``SettingsKey/limited(_:)`` gave.
    fileprivate init?(text: String) {
        if let value = Self(stored: .string(text)) {
            self = value
        } else if let number = Double(text), let value = Self(stored: .double(number)) {
            self = value
        } else {
            return nil
        }
    }
}
