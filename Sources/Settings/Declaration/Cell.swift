public import Synchronization

/// The memory of one setting, which readers reach without the lock of its core.
///
/// Only a core writes, and under its lock, so that what it decides by the value holds.
protocol AnyCell: AnyObject, Sendable {
    /// The declaration that the cell was made by.
    var declaration: ObjectIdentifier { get }
    /// Where the cell stands among the cells of its core.
    var place: Int { get }
    var name: String { get }
    /// What the setting is called in the store.
    var storedName: String { get }
    /// What the setting was called there in earlier versions, newest first.
    var previousNames: [String] { get }
    /// What observers of this setting are registered for.
    var keyPath: Observed.ObservedKeyPath { get }

    /// Decodes a stored value, the default for nil; runs code of the value's type, and so never under a lock.
    func decode(_ stored: SettingValue?) -> DecodedValue
    /// The value in force now, encoded when the closure is called, for the same reason.
    func snapshot() -> @Sendable () -> SettingValue
}

/// A value that was decoded for a cell.
struct DecodedValue: Sendable {
    /// Why the stored value does not fit, and the default is meant.
    var error: SettingsError?
    /// The value in the form in which it is stored now; a previous version may have stored it in another.
    let stored: @Sendable () -> SettingValue
    /// Puts the value in place, and tells whether it differs from the one before.
    let put: @Sendable () -> Bool
}

/// The memory of one setting of a known type: reading decodes and allocates nothing.
@usableFromInline
final class Cell<Value: Sendable>: AnyCell {
    let declaration: ObjectIdentifier
    @usableFromInline let place: Int
    @usableFromInline let keyPath: Observed.ObservedKeyPath
    @usableFromInline let storage: Mutex<Value>
    @usableFromInline let areEqual: @Sendable (Value, Value) -> Bool
    let storedName: String
    private let prefix: String
    private let key: SettingsKey<Value>

    init(_ key: SettingsKey<Value>, prefix: String, at place: Int) {
        self.key = key
        self.prefix = prefix
        self.place = place
        declaration = ObjectIdentifier(key)
        keyPath = key.keyPath
        areEqual = key.areEqual
        storedName = prefix.isEmpty ? key.name : prefix + key.name
        storage = Mutex(key.default)
    }

    @inlinable var value: Value { storage.withLock { $0 } }

    /// Puts a value in place, and tells whether it differs: an equal one may be stored in another way, and is taken too.
    @inlinable
    func exchange(_ newValue: Value) -> Bool {
        storage.withLock { value in
            let isDifferent = !isEqual(value, newValue)
            value = newValue
            return isDifferent
        }
    }

    /// The compiler leaves one line of this where the type is known: a call of the closure would cost as much as the write.
    @inlinable
    @inline(__always)
    func isEqual(_ one: Value, _ other: Value) -> Bool {
        if Value.self == Int.self, let one = one as? Int, let other = other as? Int { return one == other }
        if Value.self == Bool.self, let one = one as? Bool, let other = other as? Bool { return one == other }
        if Value.self == Double.self, let one = one as? Double, let other = other as? Double { return one == other }
        if Value.self == String.self, let one = one as? String, let other = other as? String { return one == other }
        return areEqual(one, other)
    }

    var name: String { key.name }
    var previousNames: [String] { key.metadata.previousKeys.map { prefix + $0 } }

    func decode(_ stored: SettingValue?) -> DecodedValue {
        let decoded = stored.map { key.value(from: $0) } ?? key.default
        let value = decoded ?? key.default
        let error = decoded == nil ? misfit : nil
        return DecodedValue(error: error) { [key] in
            key.stored(value)
        } put: { [self] in
            exchange(value)
        }
    }

    func snapshot() -> @Sendable () -> SettingValue {
        let value = value
        return { [key] in key.stored(value) }
    }

    private var misfit: SettingsError {
        let expectation = key.codec.type.expectation
        let message = "the stored value is not \(expectation); the default is in force"
        return SettingsError(.wrongType, "\(storedName): \(message)")
    }
}
