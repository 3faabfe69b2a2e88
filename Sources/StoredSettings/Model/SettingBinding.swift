/// A value that is read and written elsewhere: a setting, or a part of one.
///
/// ```swift
/// let brightness = lamp.binding(\.brightness)
/// brightness.wrappedValue = 80
/// ```
/// Its description names the type, never the value, so that a binding to a secret can be printed.
@propertyWrapper
@dynamicMemberLookup
public struct SettingBinding<Value: Sendable>: Sendable {
    private let read: @Sendable () -> Value
    private let change: @Sendable ((inout Value) -> Void) -> Void
    private let store: @Sendable () async throws -> Void
    private let storeError: @Sendable () -> SettingsError?

    /// Reads and changes a value elsewhere.
    ///
    /// - Parameters:
    ///   - read: Gives the value.
    ///   - change: Applies a change in one step; it may call the change again if another thread assigned meanwhile.
    ///   - commit: Waits until all that was assigned before is durable.
    ///   - error: Why the value was not taken, cannot be stored, or is not the stored one.
    public init(
        read: @escaping @Sendable () -> Value,
        change: @escaping @Sendable ((inout Value) -> Void) -> Void,
        commit: @escaping @Sendable () async throws -> Void = {},
        error: @escaping @Sendable () -> SettingsError? = { nil }
    ) {
        self.read = read
        self.change = change
        store = commit
        storeError = error
    }

    /// A setting of a storage, which the binding keeps alive with its model.
    init(
        _ key: SettingsKey<Value>,
        of storage: @escaping @Sendable () -> SettingsStorage,
        change: (@Sendable ((inout Value) -> Void) -> Void)? = nil
    ) {
        self.init {
            storage()[key]
        } change: { body in
            if let change { change(body) } else { storage().update(key, body) }
        } commit: {
            try await storage().commit()
        } error: {
            storage().saveError(of: key) ?? storage().loadError(of: key)
        }
    }

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { change { $0 = newValue } }
    }

    /// The binding itself.
    public var projectedValue: SettingBinding { self }

    /// Changes the value in one step, between which no other thread's assignment is lost.
    public func update(_ body: (inout Value) -> Void) { change(body) }

    /// Waits until all that was assigned to the setting before is durable; returns at once for what is no setting.
    ///
    /// - Throws: See ``SettingsStorage/commit()``.
    public func commit() async throws { try await store() }

    /// Why the last value was not taken or cannot be stored, or why the stored one is not in force; nil without an error.
    public var error: SettingsError? { storeError() }

    /// A part of the value.
    public subscript<Member: Sendable>(
        dynamicMember path: any WritableKeyPath<Value, Member> & Sendable
    ) -> SettingBinding<Member> {
        SettingBinding<Member>(
            read: { [read] in read()[keyPath: path] },
            change: { [change] body in change { body(&$0[keyPath: path]) } },
            commit: store,
            error: storeError
        )
    }
}

extension SettingBinding: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type.
    public var description: String { "SettingBinding<\(Value.self)>" }
    /// The type.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

#if canImport(SwiftUI)
    public import SwiftUI

    extension SettingBinding {
        /// The binding as controls of SwiftUI take it.
        public var swiftUI: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }
    }
#endif
