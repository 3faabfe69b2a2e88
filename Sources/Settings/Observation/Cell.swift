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
    func restore(_ stored: StoredValue?) -> (Exchange, error: SettingsError?)

    /// Takes a value of its own type; nil for any other.
    func take(_ value: any Sendable) -> Exchange?
}

/// What it meant to put a value in place of another.
@usableFromInline
enum Exchange {
    /// Nothing: it was there already.
    case same
    /// Equal to the one before, and stored in another way; nobody is told.
    case equal
    /// It differs.
    case different
}

/// The memory of one setting of a known type: reading decodes and allocates nothing.
@usableFromInline
final class Cell<Value: SettingConvertible>: AnyCell {
    let declaration: ObjectIdentifier
    @usableFromInline let place: Int
    @usableFromInline let keyPath: SettingsCore.ObservedKeyPath
    @usableFromInline let storage: Mutex<Value>
    /// Whether equal values are the same in every respect.
    @usableFromInline let isEqualSame: Bool
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
        isEqualSame = Value.self == Bool.self || Value.self is any FixedWidthInteger.Type
        storage = Mutex(key.default)
    }

    @inlinable var value: Value { storage.withLock { $0 } }

    /// Puts a value in place.
    @inlinable
    func exchange(_ newValue: Value) -> Exchange {
        let isDifferent = storage.withLock { value in
            guard newValue != value else { return false }
            value = newValue
            DerivedReads.noteChange()
            return true
        }
        if isDifferent { return .different }
        return isEqualSame || isSameText(newValue) ? .same : exchangeEqual(newValue)
    }

    /// Whether the value is a text of the very same bytes, which is told quicker than by how it is stored.
    @inlinable
    func isSameText(_ newValue: Value) -> Bool {
        guard Value.self == String.self, let newText = newValue as? String else { return false }
        return storage.withLock { value in
            guard let text = value as? String else { return false }
            return text.utf8.elementsEqual(newText.utf8)
        }
    }

    /// Puts a value in place that is equal to the one before, if it is stored in another way.
    @usableFromInline
    func exchangeEqual(_ newValue: Value) -> Exchange {
        guard !key.stored(newValue).isIdentical(to: stored) else { return .same }
        storage.withLock { $0 = newValue }
        return .equal
    }

    var name: String { key.name }
    var formerNames: [String] { key.formerNames.map { prefix + $0 } }
    var stored: StoredValue { key.stored(value) }

    func restore(_ stored: StoredValue?) -> (Exchange, error: SettingsError?) {
        guard let stored else { return (replace(key.default), nil) }
        if let newValue = key.value(from: stored) { return (replace(newValue), nil) }
        let message = "what is stored is not \(Value.settingType.expectation); the default is in force"
        return (replace(key.default), SettingsError(.wrongType, "\(storedName): \(message)"))
    }

    func take(_ value: any Sendable) -> Exchange? { (value as? Value).map(exchange) }

    /// Puts a value in place without looking how an equal one is stored, which would cost more than it.
    private func replace(_ newValue: Value) -> Exchange {
        storage.withLock { value in
            defer { value = newValue }
            if value != newValue { return .different }
            return isEqualSame ? .same : .equal
        }
    }
}
