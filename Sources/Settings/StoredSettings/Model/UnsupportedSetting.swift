/// The key of a property whose type cannot be a setting: the compiler's message is that of its subscript.
public struct UnsupportedSetting<Value>: Sendable {}

/// The key of a property whose range has another type.
public struct UnsupportedRange<Value>: Sendable {}

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

    /// A range of another type than the property, or of one that has none.
    @_disfavoredOverload
    public static func key<Value, Bound>(
        _ name: String,
        default: Value,
        in range: ClosedRange<Bound>,
        _ metadata: SettingMetadata,
        unsupported: Void = ()
    ) -> UnsupportedRange<Value> { UnsupportedRange() }
}

extension SettingDescriptor {
    /// Never used: the property does not compile.
    public init<Value>(_ unsupported: UnsupportedSetting<Value>) { self.init(SettingsKey("", default: "")) }

    /// Never used: the property does not compile.
    public init<Value>(_ unsupported: UnsupportedRange<Value>) { self.init(SettingsKey("", default: "")) }
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
                'SettingRepresentable'; use the Swift type in the place of NSString and its kin; mark the property with \
                '@SettingsIgnored' if it is not to be stored
                """
        )
        get { fatalError("unreachable: does not compile") }
        set {}
    }

    /// Never used: the property does not compile.
    public subscript<Value>(key: UnsupportedRange<Value>) -> Value {
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
