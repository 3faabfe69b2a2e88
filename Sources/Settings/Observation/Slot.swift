/// The place of one setting in a model's memory; guarded by the lock of its owner.
class AnySlot {
    let name: String
    /// What it is called in the store.
    let storedName: String
    /// What it was called there in earlier versions, newest first.
    let formerNames: [String]
    let sync: SyncPolicy?
    /// What observers of this setting are registered for.
    let keyPath: SettingsCore.ObservedKeyPath
    /// The declaration, which a reader names to get here.
    let identity: ObjectIdentifier
    var channel = ChangeChannel()
    /// Whether there is a value to store, be it that of the default.
    var isPresent = false
    var loadError: SettingsError?
    var saveError: SettingsError?

    init<Value>(_ key: SettingsKey<Value>, prefix: String) {
        name = key.name
        storedName = prefix + key.name
        formerNames = key.formerNames.map { prefix + $0 }
        sync = key.sync
        keyPath = key.keyPath
        identity = ObjectIdentifier(key)
    }

    /// Takes a stored value; the default for nil and for one that does not fit, which ``loadError`` then tells.
    ///
    /// - Returns: Whether the value changed.
    func restore(_ stored: StoredValue?) -> Bool { false }

    /// The value in force, as it would be stored.
    var stored: StoredValue { .null }
}

/// The place of one setting of a known type: reading it decodes and allocates nothing.
final class Slot<Value: SettingConvertible>: AnySlot {
    private(set) var value: Value
    private let key: SettingsKey<Value>

    init(_ key: SettingsKey<Value>, prefix: String) {
        self.key = key
        value = key.default
        super.init(key, prefix: prefix)
    }

    /// Tells whether the value changed.
    func assign(_ newValue: Value) -> Bool {
        guard newValue != value else { return false }
        value = newValue
        return true
    }

    override func restore(_ stored: StoredValue?) -> Bool {
        isPresent = stored != nil
        loadError = nil
        guard let stored else { return assign(key.default) }
        guard let newValue = key.value(from: stored) else {
            loadError = SettingsError(
                .wrongType,
                "\(storedName): what is stored is not \(Value.settingType.expectation); the default is in force"
            )
            return assign(key.default)
        }
        return assign(newValue)
    }

    override var stored: StoredValue { key.stored(value) }
}
