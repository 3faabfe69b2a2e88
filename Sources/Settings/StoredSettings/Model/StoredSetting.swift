import Synchronization

/// One setting in any place, without a class.
///
/// ```swift
/// struct VolumeKnob {
///     @StoredSetting("volume") var volume = 60
/// }
/// ```
/// All properties with one key, scope and store are the same setting: a value assigned to one is seen at once by the others.
/// Reading is observed. `$volume` is the ``SettingBinding``, which also has `commit()` and `error`.
@propertyWrapper
public struct StoredSetting<Value: Sendable>: Sendable {
    private let single: SingleSetting<Value>

    /// The value: as assigned, as stored, or the default.
    public var wrappedValue: Value {
        get { single.storage[single.key] }
        nonmutating set { single.storage[single.key] = newValue }
    }

    /// The binding to the value.
    public var projectedValue: SettingBinding<Value> { SettingBinding(single.key) { [single] in single.storage } }

    /// Uses a key that is declared elsewhere, with its constraints.
    ///
    /// ```swift
    /// extension SettingsKey where Value == Int {
    ///     static var volume: SettingsKey { SettingsKey("volume", default: 60, in: 0...100) }
    /// }
    /// @StoredSetting(.volume) var volume
    /// ```
    public init(_ key: SettingsKey<Value>, scope: String = "values", store: (any SettingsStore)? = nil) {
        single = SingleSetting(key, scope, store)
    }
}

extension StoredSetting where Value: SettingRepresentable {
    /// Declares a setting; without a store, in the ``DefaultSettingsStore``.
    public init(wrappedValue: Value, _ key: String, scope: String = "values", store: (any SettingsStore)? = nil) {
        self.init(SettingsKey(key, default: wrappedValue), scope: scope, store: store)
    }

    /// Declares a setting that is nil until a value is assigned.
    public init(_ key: String, scope: String = "values", store: (any SettingsStore)? = nil)
    where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, key, scope: scope, store: store)
    }
}

extension StoredSetting where Value: SettingRepresentable & Comparable {
    /// Declares a setting that holds a value from the least to the greatest.
    public init(
        wrappedValue: Value,
        _ key: String,
        in range: ClosedRange<Value>,
        scope: String = "values",
        store: (any SettingsStore)? = nil
    ) {
        self.init(SettingsKey(key, default: wrappedValue, in: range), scope: scope, store: store)
    }
}

extension StoredSetting where Value: RawRepresentable, Value.RawValue: SettingRepresentable {
    /// Declares a setting of a type with raw values.
    @_disfavoredOverload
    public init(wrappedValue: Value, _ key: String, scope: String = "values", store: (any SettingsStore)? = nil) {
        self.init(SettingsKey(key, default: wrappedValue), scope: scope, store: store)
    }
}

extension StoredSetting {
    /// Declares a setting that is nil, or holds a value from the least to the greatest.
    public init<Some: SettingRepresentable & Comparable>(
        wrappedValue: Value = nil,
        _ key: String,
        in range: ClosedRange<Some>,
        scope: String = "values",
        store: (any SettingsStore)? = nil
    ) where Value == Some? {
        self.init(SettingsKey(key, default: wrappedValue, in: range), scope: scope, store: store)
    }
}

extension StoredSetting
where
    Value: SettingContainer, Value.SettingElement: RawRepresentable & Sendable,
    Value.SettingElement.RawValue: SettingRepresentable
{
    /// Declares an optional, a list, or values by name, of a type with raw values.
    @_disfavoredOverload
    public init(
        wrappedValue: Value,
        _ key: String,
        scope: String = "values",
        store: (any SettingsStore)? = nil,
        ofElements: Void = (),
        asRawValues: Void = ()
    ) {
        self.init(SettingsKey(key, default: wrappedValue), scope: scope, store: store)
    }

    /// Declares a setting that is nil until a value is assigned.
    @_disfavoredOverload
    public init(
        _ key: String,
        scope: String = "values",
        store: (any SettingsStore)? = nil,
        ofElements: Void = (),
        asRawValues: Void = ()
    ) where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, key, scope: scope, store: store)
    }
}

extension StoredSetting where Value: Codable {
    /// Declares a setting that is stored as JSON, unless its type has raw values.
    @_disfavoredOverload
    public init(
        wrappedValue: Value,
        _ key: String,
        scope: String = "values",
        store: (any SettingsStore)? = nil,
        asJSON: Void = ()
    ) {
        self.init(SettingsKey(key, default: wrappedValue), scope: scope, store: store)
    }

    /// Declares a setting that is nil until a value is assigned.
    @_disfavoredOverload
    public init(_ key: String, scope: String = "values", store: (any SettingsStore)? = nil, asJSON: Void = ())
    where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, key, scope: scope, store: store)
    }
}

/// A setting without a model; its store is looked up when the setting is first used.
private final class SingleSetting<Value: Sendable>: Sendable {
    let key: SettingsKey<Value>
    private let scope: String
    private let store: (any SettingsStore)?
    /// One without a test, and one for each test's store: tests share a static property, but no store.
    private let storages = Mutex<[ObjectIdentifier?: SettingsStorage]>([:])

    init(_ key: SettingsKey<Value>, _ scope: String, _ store: (any SettingsStore)?) {
        self.key = key
        self.scope = scope
        self.store = store
    }

    /// Uses the model of the scope, which all single settings share; its schema grows as they are used.
    var storage: SettingsStorage {
        let test = store == nil ? DefaultSettingsStore.scoped?.value : nil
        return storages.withLock { storages in
            if let storage = storages[test.map { ObjectIdentifier($0) }] { return storage }
            let store = test ?? store ?? DefaultSettingsStore.store
            let storage = SettingsStorage(scope: scope, schema: SettingsSchema([]), store: store)
            storages[test.map { ObjectIdentifier($0) }] = storage
            return storage
        }
    }
}
