/// A setting that is read and written elsewhere; keeps its storage alive.
///
/// ```swift
/// let brightness = lamp.binding(\.brightness)
/// brightness.wrappedValue = 80
/// ```
/// Its description names the type, never the value, so that a binding to a secret can be printed.
@propertyWrapper
public struct SettingBinding<Value: Sendable>: Sendable {
    let key: SettingsKey<Value>
    let storage: @Sendable () -> SettingsStorage
    /// Whether a value means that nothing is to be stored.
    var isAbsent: @Sendable (Value) -> Bool = { _ in false }

    /// The value.
    public var wrappedValue: Value {
        get { storage()[key] }
        nonmutating set { update { $0 = newValue } }
    }

    /// The binding itself.
    public var projectedValue: SettingBinding { self }

    /// Changes the value in one step, between which no other thread's assignment is lost.
    public func update(_ body: (inout Value) -> Void) {
        storage().update(key, body)
        if isAbsent(storage()[key]) { storage().reset(key) }
    }

    /// Waits until all that was assigned to the setting before is durable.
    ///
    /// - Throws: See ``SettingsModel/commit()``.
    public func commit() async throws { try await storage().commit() }

    /// What is wrong with the setting or its store, as ``SettingsModel/error(of:)``; nil without an error.
    public var error: SettingsError? { storage().error(of: key) }
}

extension SettingBinding: CustomStringConvertible, CustomReflectable {
    /// The type.
    public var description: String { "SettingBinding<\(Value.self)>" }
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
