/// Stands for a type that cannot be a setting: its subscript gives the compiler's message.
public struct UnsupportedSetting<Value>: Sendable {}

/// Stands for a type whose setting has a range of another type or form.
public struct UnsupportedRange<Value>: Sendable {}

extension SettingsKey {
    /// Never used: the property does not compile.
    @_disfavoredOverload
    public convenience init<Own>(
        _ name: String,
        default: Own,
        _ metadata: SettingMetadata,
        asJSON: Void = (),
        unsupported: Void = ()
    ) where Value == UnsupportedSetting<Own> {
        fatalError("unreachable: does not compile")
    }

    /// Never used: the property does not compile.
    @_disfavoredOverload
    public convenience init<Own>(
        _ name: String,
        default: Own,
        in range: some RangeExpression,
        _ metadata: SettingMetadata,
        unsupported: Void = ()
    ) where Value == UnsupportedRange<Own> {
        fatalError("unreachable: does not compile")
    }
}

extension SettingsStorage {
    /// Never used: the property does not compile.
    public subscript<Value>(key: SettingsKey<UnsupportedSetting<Value>>) -> Value {
        @available(
            *,
            unavailable,
            message: """
                a setting needs a type that is 'Codable' or has raw values, and is 'Sendable'; a type of your own in a module \
                that is isolated by default has to be 'nonisolated', and one in a set or in nested collections \
                'SettingRepresentable'; use the Swift type in the place of NSString and its kin; mark the property with \
                '@SettingsIgnored' if it is not to be stored
                """
        )
        get { fatalError("unreachable: does not compile") }
        set {}
    }

    /// Never used: the property does not compile.
    public subscript<Value>(key: SettingsKey<UnsupportedRange<Value>>) -> Value {
        @available(
            *,
            unavailable,
            message: """
                a range has bounds of the property's own type, as 'in: 0...10' for an 'Int' and 'in: 0.0...1.0' for a 'Double'; \
                that type has to be 'Comparable' and 'SettingRepresentable'
                """
        )
        get { fatalError("unreachable: does not compile") }
        set {}
    }
}
