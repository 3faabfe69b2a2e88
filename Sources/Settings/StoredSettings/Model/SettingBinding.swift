/// Reads and writes a setting outside of its model; keeps its storage alive.
///
/// ```swift
/// let brightness = lamp.binding(\.brightness)
/// brightness.wrappedValue = 80
/// ```
/// A member of the value has a binding of its own, `$place.name`. Its description names the type, never the value.
@propertyWrapper
@dynamicMemberLookup
public struct SettingBinding<Value: Sendable>: Sendable, CustomStringConvertible, CustomReflectable {
    let storage: @Sendable () -> SettingsStorage
    let read: @Sendable () -> Value
    let change: @Sendable ((inout Value) -> Void) -> Void
    let fault: @Sendable () -> SettingsError?

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { update { $0 = newValue } }
    }

    /// The binding itself.
    public var projectedValue: SettingBinding { self }

    /// The value, for those who must not change it.
    public var reader: SettingReader<Value> { SettingReader(read: read) }

    /// A member of the value; an assignment to it changes the value in one step.
    public subscript<Member: Sendable>(
        dynamicMember path: any WritableKeyPath<Value, Member> & Sendable
    ) -> SettingBinding<Member> {
        SettingBinding<Member>(storage: storage) {
            read()[keyPath: path]
        } change: { body in
            change { body(&$0[keyPath: path]) }
        } fault: {
            fault()
        }
    }

    /// Changes the value in one step: no other thread's assignment is lost.
    public func update(_ body: (inout Value) -> Void) { change(body) }

    /// Waits until all that was assigned to the setting before is durable.
    ///
    /// - Throws: See ``SettingsModel/commit()``.
    public func commit() async throws { try await storage().commit() }

    /// What is wrong with the setting or its store, as ``SettingsModel/error(of:)``; nil without an error.
    public var error: SettingsError? { fault() }

    /// The type.
    public var description: String { "SettingBinding<\(Value.self)>" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SettingBinding {
    /// Binds a setting.
    init(_ key: SettingsKey<Value>, storage: @escaping @Sendable () -> SettingsStorage) {
        self.init(storage: storage) {
            storage()[key]
        } change: { body in
            storage().update(key, body)
        } fault: {
            storage().error(of: key)
        }
    }
}

/// Reads a setting outside of its model, without writing it; see ``SettingBinding/reader``.
///
/// Reading is observed. The reader keeps the setting's storage alive, and prints as its type.
@propertyWrapper
@dynamicMemberLookup
public struct SettingReader<Value: Sendable>: Sendable, CustomStringConvertible, CustomReflectable {
    let read: @Sendable () -> Value

    /// The value.
    public var wrappedValue: Value { read() }

    /// The reader itself.
    public var projectedValue: SettingReader { self }

    /// A member of the value.
    public subscript<Member: Sendable>(
        dynamicMember path: any KeyPath<Value, Member> & Sendable
    ) -> SettingReader<Member> {
        SettingReader<Member> { read()[keyPath: path] }
    }

    /// The type.
    public var description: String { "SettingReader<\(Value.self)>" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
