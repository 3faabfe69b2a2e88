import Synchronization

/// A variable that any thread may use; what `@SettingsIgnored` puts behind a property.
///
/// Only a `Sendable` value can be read: for another type, the compiler's message points at the read of the property.
public final class LockedValue<Value>: Sendable {
    // Protected by the mutex: a value comes in by `sending`, so without another owner; only a `Sendable` one comes out.
    fileprivate struct Guarded: @unchecked Sendable {
        var value: Value
    }

    fileprivate let storage: Mutex<Guarded>

    /// Begins with `value`.
    public init(_ value: sending Value) { storage = Mutex(Guarded(value: value)) }

    /// Puts a value in place.
    public func set(_ newValue: sending Value) {
        var other = Guarded(value: newValue)
        // The old value ends outside of the lock: its code may use the variable.
        storage.withLock { swap(&$0, &other) }
    }
}

extension LockedValue where Value: Sendable {
    /// The value.
    public var value: Value {
        get { storage.withLock(\.value) }
        set { set(newValue) }
    }

    package func exchange(_ newValue: Value) -> Value {
        storage.withLock { guarded in
            defer { guarded.value = newValue }
            return guarded.value
        }
    }
}
