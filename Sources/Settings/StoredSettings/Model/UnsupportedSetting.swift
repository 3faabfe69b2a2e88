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
                a setting needs a type that is 'Codable' or has raw values, and is 'Sendable': add both to the declaration of this \
                type, or put '@SettingsIgnored' on the property; in a module that is isolated by default, the type is 'nonisolated'
                """
        )
        get { fatalError("unreachable: does not compile") }
        set {}
    }

    /// Never used: the property does not compile.
    public subscript<Value: Codable>(key: SettingsKey<UnsupportedSetting<Value>>) -> Value {
        @available(
            *,
            unavailable,
            message: """
                a setting needs a type that is 'Sendable', and this one is only 'Codable': add 'Sendable' to its declaration, or \
                'nonisolated' in a module that is isolated by default, or put '@SettingsIgnored' on the property
                """
        )
        get { fatalError("unreachable: does not compile") }
        set {}
    }

    /// Never used: the property does not compile.
    public subscript<Element>(key: SettingsKey<UnsupportedSetting<Set<Element>>>) -> Set<Element> {
        @available(
            *,
            unavailable,
            message: """
                a set that is a setting needs elements that are 'Codable' or 'SettingRepresentable': add one of them to the \
                declaration of the elements' type
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

extension StoredSetting {
    /// Never used: the property does not compile.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: """
            a setting needs a type that is 'Codable' or has raw values: add 'Codable' to the declaration of this type, or leave \
            '@StoredSetting' away
            """
    )
    public init(
        wrappedValue: Value,
        _ key: String,
        scope: String = "values",
        store: (any SettingsStore)? = nil,
        asJSON: Void = (),
        unsupported: Void = ()
    ) {
        fatalError("unreachable: does not compile")
    }

    /// Never used: the property does not compile.
    @_disfavoredOverload
    @available(*, unavailable, message: "a setting needs a default: write '= …', or make the type optional")
    public init(
        _ key: String,
        scope: String = "values",
        store: (any SettingsStore)? = nil,
        asJSON: Void = (),
        unsupported: Void = ()
    ) {
        fatalError("unreachable: does not compile")
    }
}
