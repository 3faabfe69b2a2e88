import Synchronization

/// A variable that any thread may use; what `@SettingsIgnored` puts behind a property.
public final class LockedValue<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    /// Begins with `value`.
    public init(_ value: Value) { storage = Mutex(value) }

    /// The value.
    public var value: Value {
        get { storage.withLock(\.self) }
        set { storage.withLock { $0 = newValue } }
    }
}
