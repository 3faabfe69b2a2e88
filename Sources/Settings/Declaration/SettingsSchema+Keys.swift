/// What `@ObservableSettings` writes for a property; the compiler chooses how its type is stored.
extension SettingsSchema {
    /// A type that says itself how it is stored.
    public static func key<Value: SettingRepresentable>(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value> {
        SettingsKey(name, default: `default`, metadata, codec: .own)
    }

    /// A value that goes from a least to a greatest.
    public static func key<Value: SettingRepresentable & Comparable>(
        _ name: String,
        default: Value,
        in range: ClosedRange<Value>,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value> {
        SettingsKey(name, default: `default`, metadata.within(range), codec: .own)
    }

    /// A value that is nil or goes from a least to a greatest.
    public static func key<Value: SettingRepresentable & Comparable>(
        _ name: String,
        default: Value?,
        in range: ClosedRange<Value>,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value?> {
        SettingsKey(name, default: `default`, metadata.within(range), codec: .own)
    }

    /// A type with raw values.
    @_disfavoredOverload
    public static func key<Value: RawRepresentable & Sendable>(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value> where Value.RawValue: SettingRepresentable {
        SettingsKey(name, default: `default`, metadata, codec: .raw)
    }

    /// A value of a type with raw values, or none.
    @_disfavoredOverload
    public static func key<Value: RawRepresentable & Sendable>(
        _ name: String,
        default: Value?,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value?> where Value.RawValue: SettingRepresentable {
        SettingsKey(name, default: `default`, metadata, codec: SettingCodec<Value>.raw.optional())
    }

    /// A list of values of a type with raw values.
    @_disfavoredOverload
    public static func key<Value: RawRepresentable & Sendable>(
        _ name: String,
        default: [Value],
        _ metadata: SettingMetadata
    ) -> SettingsKey<[Value]> where Value.RawValue: SettingRepresentable {
        SettingsKey(name, default: `default`, metadata, codec: SettingCodec<Value>.raw.array())
    }

    /// Values of a type with raw values, by name.
    @_disfavoredOverload
    public static func key<Value: RawRepresentable & Sendable>(
        _ name: String,
        default: [String: Value],
        _ metadata: SettingMetadata
    ) -> SettingsKey<[String: Value]> where Value.RawValue: SettingRepresentable {
        SettingsKey(name, default: `default`, metadata, codec: SettingCodec<Value>.raw.dictionary())
    }

    /// Any other type that can be encoded, stored as JSON.
    @_disfavoredOverload
    public static func key<Value: Codable & Sendable>(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value> {
        SettingsKey(name, default: `default`, metadata, codec: .json)
    }
}

/// Types that have raw values and can be encoded are stored by their raw values.
extension SettingsSchema {
    /// A type with raw values.
    @_disfavoredOverload
    public static func key<Value: RawRepresentable & Codable & Sendable>(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value> where Value.RawValue: SettingRepresentable {
        SettingsKey(name, default: `default`, metadata, codec: .raw)
    }

    /// A value of a type with raw values, or none.
    @_disfavoredOverload
    public static func key<Value: RawRepresentable & Codable & Sendable>(
        _ name: String,
        default: Value?,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value?> where Value.RawValue: SettingRepresentable {
        SettingsKey(name, default: `default`, metadata, codec: SettingCodec<Value>.raw.optional())
    }

    /// A list of values of a type with raw values.
    @_disfavoredOverload
    public static func key<Value: RawRepresentable & Codable & Sendable>(
        _ name: String,
        default: [Value],
        _ metadata: SettingMetadata
    ) -> SettingsKey<[Value]> where Value.RawValue: SettingRepresentable {
        SettingsKey(name, default: `default`, metadata, codec: SettingCodec<Value>.raw.array())
    }

    /// Values of a type with raw values, by name.
    @_disfavoredOverload
    public static func key<Value: RawRepresentable & Codable & Sendable>(
        _ name: String,
        default: [String: Value],
        _ metadata: SettingMetadata
    ) -> SettingsKey<[String: Value]> where Value.RawValue: SettingRepresentable {
        SettingsKey(name, default: `default`, metadata, codec: SettingCodec<Value>.raw.dictionary())
    }
}

extension SettingMetadata {
    fileprivate func within<Value: SettingRepresentable & Comparable>(_ range: ClosedRange<Value>) -> Self {
        var metadata = self
        metadata.constraints = constraints.within(range)
        return metadata
    }
}

/// Stands for the declaration of a property whose type cannot be a setting, so that the compiler names the property.
public struct UnsupportedSetting<Value>: Sendable {}

extension SettingsSchema {
    /// Chosen by the compiler for any other type.
    @_disfavoredOverload
    public static func key<Value>(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata
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
                a setting needs a type that is 'Codable' or has raw values, and is 'Sendable'; for NSString and its kin, \
                'import SettingsUserDefaults'; mark the property with '@SettingsIgnored' if it is not to be stored
                """
        )
        get { fatalError("unreachable: does not compile") }
        set {}
    }
}
