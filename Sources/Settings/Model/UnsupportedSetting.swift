/// Stands for the declaration of a property whose type cannot be a setting, so that the compiler says what to do about it
/// at the property.
public struct UnsupportedSetting<Value>: Sendable {}

extension SettingsSchema {
    /// Declares a setting; what `@ObservableSettings` writes for a property.
    public static func key<Value: SettingConvertible>(
        _ name: String,
        default: Value,
        formerNames: [String] = [],
        limits: SettingLimits = .none,
        isSecret: Bool = false,
        sync: SyncPolicy? = nil,
        documentation: String = ""
    ) -> SettingsKey<Value> {
        SettingsKey(
            name,
            default: `default`,
            formerNames: formerNames,
            limits: limits,
            isSecret: isSecret,
            sync: sync,
            documentation: documentation
        )
    }

    /// Declares a setting whose values go from a least to a greatest.
    public static func key<Value: SettingConvertible & Comparable>(
        _ name: String,
        default: Value,
        formerNames: [String] = [],
        in range: ClosedRange<Value>,
        limits: SettingLimits = .none,
        isSecret: Bool = false,
        sync: SyncPolicy? = nil,
        documentation: String = ""
    ) -> SettingsKey<Value> {
        key(
            name,
            default: `default`,
            formerNames: formerNames,
            limits: limits.within(range),
            isSecret: isSecret,
            sync: sync,
            documentation: documentation
        )
    }

    /// Declares a setting that is nil or goes from a least to a greatest value.
    public static func key<Value: SettingConvertible & Comparable>(
        _ name: String,
        default: Value?,
        formerNames: [String] = [],
        in range: ClosedRange<Value>,
        limits: SettingLimits = .none,
        isSecret: Bool = false,
        sync: SyncPolicy? = nil,
        documentation: String = ""
    ) -> SettingsKey<Value?> {
        key(
            name,
            default: `default`,
            formerNames: formerNames,
            limits: limits.within(range),
            isSecret: isSecret,
            sync: sync,
            documentation: documentation
        )
    }

    /// Chosen by the compiler for any other type.
    @_disfavoredOverload
    public static func key<Value>(
        _ name: String,
        default: Value,
        formerNames: [String] = [],
        limits: SettingLimits = .none,
        isSecret: Bool = false,
        sync: SyncPolicy? = nil,
        documentation: String = ""
    ) -> UnsupportedSetting<Value> {
        UnsupportedSetting()
    }
}

extension SettingDescriptor {
    /// Never used: the property does not compile.
    public init<Value>(_ unsupported: UnsupportedSetting<Value>) {
        self.init(SettingsKey("", default: ""))
    }
}

extension SettingsBacking {
    /// Never used: the property does not compile.
    public subscript<Value>(key: UnsupportedSetting<Value>) -> Value {
        @available(
            *,
            unavailable,
            message: """
                a setting needs a type that is 'SettingConvertible' (an enumeration with raw values only has to declare \
                it) or 'CodableSetting' (any other Codable type); for NSString and its kin, 'import SettingsUserDefaults'; \
                mark the property with '@SettingsIgnored' if it is not to be stored
                """
        )
        get { fatalError("unreachable: does not compile") }
        set {}
    }
}
