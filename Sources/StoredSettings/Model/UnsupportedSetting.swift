/// Stands for the declaration of a property whose type cannot be a setting, so that the compiler names the property.
public struct UnsupportedSetting<Value>: Sendable {}

extension SettingsSchema {
    /// Any type that cannot be a setting.
    @_disfavoredOverload
    public static func key<Value>(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata,
        asJSON: Void = (),
        unsupported: Void = ()
    ) -> UnsupportedSetting<Value> { UnsupportedSetting() }
}

extension SettingDescriptor {
    /// Never used: the property does not compile.
    public init<Value>(_ unsupported: UnsupportedSetting<Value>) { self.init(SettingsKey("", default: "")) }
}

extension SettingsStorage {
    /// Never used: the property does not compile.
    public subscript<Value>(key: UnsupportedSetting<Value>) -> Value {
        @available(
            *,
            unavailable,
            message: """
                a setting needs a type that is 'Codable' or has raw values, and is 'Sendable'; a type of your own in a module \
                that is isolated by default has to be 'nonisolated', and one in a set or in nested collections \
                'SettingRepresentable'; for NSString and its kin, 'import SettingsUserDefaults'; mark the property with \
                '@SettingsIgnored' if it is not to be stored
                """
        )
        get { fatalError("unreachable: does not compile") }
        set {}
    }
}
