/// What `@ObservableSettings` writes for a property; the compiler chooses how its type is stored.
extension SettingsSchema {
    /// A type that says itself how it is stored.
    public static func key<Value: SettingRepresentable>(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value> {
        SettingsKey(name, default: `default`, metadata, codec: Value.settingCodec)
    }

    /// A value from a least to a greatest.
    public static func key<Value: SettingRepresentable & Comparable>(
        _ name: String,
        default: Value,
        in range: ClosedRange<Value>,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value> {
        SettingsKey(name, default: `default`, metadata.within(range), codec: Value.settingCodec)
    }

    /// A value that is nil, or from a least to a greatest.
    public static func key<Value: SettingRepresentable & Comparable>(
        _ name: String,
        default: Value?,
        in range: ClosedRange<Value>,
        _ metadata: SettingMetadata
    ) -> SettingsKey<Value?> {
        SettingsKey(name, default: `default`, metadata.within(range), codec: Value?.settingCodec)
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
    ///
    /// The compiler prefers what needs no default argument, and so the raw values of a type that has them.
    @_disfavoredOverload
    public static func key<Value: Codable & Sendable>(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata,
        asJSON: Void = ()
    ) -> SettingsKey<Value> {
        SettingsKey(name, default: `default`, metadata, codec: .json)
    }
}

extension SettingMetadata {
    fileprivate func within<Value: SettingRepresentable & Comparable>(_ range: ClosedRange<Value>) -> Self {
        var metadata = self
        metadata.constraints = constraints.within(range)
        return metadata
    }
}
