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
    private let save: @Sendable () async throws -> Void
    private let saveError: @Sendable () -> SettingsError?

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
    /// - Throws: See ``SettingsModel/commit()``.
    public func commit() async throws { try await save() }

    /// Why the last value was not taken or cannot be stored, or why the stored one is not in force; nil without an error.
    public var error: SettingsError? { saveError() }

    /// A part of the value.
    public subscript<Member: Sendable>(
        dynamicMember path: any WritableKeyPath<Value, Member> & Sendable
    ) -> SettingBinding<Member> {
        SettingBinding<Member>(
            read: { [read] in read()[keyPath: path] },
            change: { [change] body in change { body(&$0[keyPath: path]) } },
            save: save,
            saveError: saveError
        )
    }
}

extension SettingBinding {
    /// A setting of a storage, which the binding keeps alive with its model.
    init(
        _ key: SettingsKey<Value>,
        of storage: @escaping @Sendable () -> SettingsStorage,
        change: (@Sendable ((inout Value) -> Void) -> Void)? = nil
    ) {
        self.init(
            read: { storage()[key] },
            change: change ?? { storage().update(key, $0) },
            save: { try await storage().commit() },
            saveError: { storage().saveError(of: key) ?? storage().loadError(of: key) }
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
