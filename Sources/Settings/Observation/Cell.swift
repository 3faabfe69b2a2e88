public import Synchronization

/// The memory of one setting, which readers reach without the lock of its core.
///
/// Only a core writes, and under its lock, so that what it decides by the value holds.
protocol AnyCell: AnyObject, Sendable {
    /// The declaration that it was made by.
    var declaration: ObjectIdentifier { get }
    /// Where it stands among the cells of its core.
    var place: Int { get }
    var name: String { get }
    /// What it is called in the store.
    var storedName: String { get }
    /// What it was called there in earlier versions, newest first.
    var formerNames: [String] { get }
    /// What observers of this setting are registered for.
    var keyPath: SettingsCore.ObservedKeyPath { get }
    /// The value in force, as it would be stored.
    var stored: StoredValue { get }

    /// Takes a stored value; the default for nil and for one that does not fit, which the error then tells.
    func restore(_ stored: StoredValue?) -> (isChanged: Bool, error: SettingsError?)
}

/// The memory of one setting of a known type: reading decodes and allocates nothing.
@usableFromInline
final class Cell<Value: SettingConvertible>: AnyCell {
    let declaration: ObjectIdentifier
    @usableFromInline let place: Int
    @usableFromInline let keyPath: SettingsCore.ObservedKeyPath
    @usableFromInline let storage: Mutex<Value>
    let storedName: String
    private let prefix: String
    private let key: SettingsKey<Value>

    init(_ key: SettingsKey<Value>, prefix: String, at place: Int) {
        self.key = key
        self.prefix = prefix
        self.place = place
        declaration = ObjectIdentifier(key)
        keyPath = key.keyPath
        storedName = prefix + key.name
        storage = Mutex(key.default)
    }

    @inlinable var value: Value { storage.withLock { $0 } }

    /// Tells whether the value changed.
    @inlinable
    func exchange(_ newValue: Value) -> Bool {
        storage.withLock { value in
            guard newValue != value else { return false }
            value = newValue
            return true
        }
    }

    var name: String { key.name }
    var formerNames: [String] { key.formerNames.map { prefix + $0 } }
    var stored: StoredValue { key.stored(value) }

    func restore(_ stored: StoredValue?) -> (isChanged: Bool, error: SettingsError?) {
        guard let stored else { return (exchange(key.default), nil) }
        if let newValue = key.value(from: stored) { return (exchange(newValue), nil) }
        let message = "what is stored is not \(Value.settingType.expectation); the default is in force"
        return (exchange(key.default), SettingsError(.wrongType, "\(storedName): \(message)"))
    }
}
