extension SettingsKey where Value: SettingRepresentable {
    /// Declares a setting of a type that says itself how it is stored; one of a `Secret` type is always secret.
    public convenience init(_ name: String, default: Value, _ metadata: SettingMetadata = SettingMetadata()) {
        self.init(name, default: `default`, metadata, codec: Value.settingCodec)
    }
}

extension SettingsKey where Value: SettingRepresentable & Comparable {
    /// Declares a setting that holds a value from the least to the greatest.
    public convenience init(
        _ name: String,
        default: Value,
        in range: ClosedRange<Value>,
        _ metadata: SettingMetadata = SettingMetadata()
    ) {
        self.init(name, default: `default`, metadata.within(range))
    }
}

extension SettingsKey where Value: RawRepresentable, Value.RawValue: SettingRepresentable {
    /// Declares a setting of a type with raw values.
    @_disfavoredOverload
    public convenience init(_ name: String, default: Value, _ metadata: SettingMetadata = SettingMetadata()) {
        self.init(name, default: `default`, metadata, codec: .raw)
    }
}

extension SettingsKey
where
    Value: SettingContainer, Value.SettingElement: RawRepresentable & Sendable,
    Value.SettingElement.RawValue: SettingRepresentable
{
    /// Declares an optional, a list, or values by name, of a type with raw values.
    ///
    /// For elements that are `Codable` the compiler prefers the initialiser for JSON: it has fewer default arguments.
    @_disfavoredOverload
    public convenience init(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata = SettingMetadata(),
        ofElements: Void = (),
        asRawValues: Void = ()
    ) {
        self.init(name, default: `default`, metadata, codec: Value.settingCodec(of: .raw))
    }
}

extension SettingsKey where Value: Codable {
    /// Declares a setting of any other type that can be encoded, stored as JSON.
    ///
    /// For a type with raw values the compiler prefers the initialiser for raw values: it has fewer default arguments.
    @_disfavoredOverload
    public convenience init(
        _ name: String,
        default: Value,
        _ metadata: SettingMetadata = SettingMetadata(),
        asJSON: Void = ()
    ) {
        self.init(name, default: `default`, metadata, codec: .json)
    }
}

extension SettingsKey {
    /// Declares a setting that is nil, or holds a value from the least to the greatest.
    public convenience init<Some: SettingRepresentable & Comparable>(
        _ name: String,
        default: Value,
        in range: ClosedRange<Some>,
        _ metadata: SettingMetadata = SettingMetadata()
    ) where Value == Some? {
        self.init(name, default: `default`, metadata.within(range))
    }
}

extension SettingMetadata {
    fileprivate func within<Value: SettingRepresentable & Comparable>(_ range: ClosedRange<Value>) -> Self {
        var metadata = self
        metadata.constraints = constraints.within(range)
        return metadata
    }
}
