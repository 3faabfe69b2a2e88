/// The place of one setting in a model's memory; guarded by the lock of its owner.
class AnySlot {
    let name: String
    var channel = ChangeChannel()
    /// What observers of this setting are registered for.
    let keyPath: SettingsCore.ObservedKeyPath

    init(name: String, keyPath: SettingsCore.ObservedKeyPath) {
        self.name = name
        self.keyPath = keyPath
    }

    /// Takes a stored value; the default for nil and for one that does not fit.
    func restore(_ stored: StoredValue?) -> (isChanged: Bool, fits: Bool) { (false, true) }

    /// The value in force, as it would be stored.
    var stored: StoredValue { .null }
}

/// The place of one setting of a known type: reading it decodes and allocates nothing.
final class Slot<Value: SettingConvertible>: AnySlot {
    private(set) var value: Value
    private let key: SettingsKey<Value>

    init(_ key: SettingsKey<Value>) {
        self.key = key
        value = key.default
        super.init(name: key.name, keyPath: key.keyPath)
    }

    /// Tells whether the value changed.
    func assign(_ newValue: Value) -> Bool {
        guard newValue != value else { return false }
        value = newValue
        return true
    }

    override func restore(_ stored: StoredValue?) -> (isChanged: Bool, fits: Bool) {
        guard let stored else { return (assign(key.default), true) }
        guard let newValue = key.value(from: stored) else { return (assign(key.default), false) }
        return (assign(newValue), true)
    }

    override var stored: StoredValue { key.stored(value) }
}
