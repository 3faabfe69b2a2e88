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
    private let change: (@Sendable ((inout Value) -> Void) -> Void)?
    private let stored: Stored?

    /// What stands behind a binding to a setting, or to a part of one.
    struct Stored: Sendable {
        let commit: @Sendable () async throws -> Void
        let error: @Sendable () -> SettingsError?
    }

    /// Reads and changes a value elsewhere.
    ///
    /// - Parameters:
    ///   - read: Gives the value.
    ///   - change: Applies a change in one step, maybe more than once until nobody else came between; nil for a binding
    ///     that cannot be written.
    public init(
        read: @escaping @Sendable () -> Value,
        change: (@Sendable ((inout Value) -> Void) -> Void)? = nil
    ) {
        self.init(read: read, change: change, stored: nil)
    }

    private init(
        read: @escaping @Sendable () -> Value,
        change: (@Sendable ((inout Value) -> Void) -> Void)?,
        stored: Stored?
    ) {
        self.read = read
        self.change = change
        self.stored = stored
    }

    /// A setting of a model, which the binding keeps alive.
    init(
        _ key: SettingsKey<Value>,
        of storage: @escaping @Sendable () -> SettingsStorage,
        change: (@Sendable ((inout Value) -> Void) -> Void)? = nil
    ) {
        let stored = Stored {
            try await storage().commit()
        } error: {
            storage().saveError(of: key) ?? storage().loadError(of: key)
        }
        self.init(read: { storage()[key] }, change: change ?? { storage().update(key, $0) }, stored: stored)
    }

    /// Waits until all that was assigned to the setting before is durable; returns at once for what is no setting.
    ///
    /// - Throws: See ``SettingsStorage/commit()``.
    public func commit() async throws { try await stored?.commit() }

    /// Why the last value was not taken or cannot be stored, or why the stored one is not in force; nil when all is well.
    public var error: SettingsError? { stored?.error() }

    /// The value; assigning does nothing when the binding is read-only.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { change? { $0 = newValue } }
    }

    /// The binding itself.
    public var projectedValue: SettingBinding { self }

    /// Whether assigning does nothing.
    public var isReadOnly: Bool { change == nil }

    /// Changes the value in one step, between which no other thread's assignment is lost.
    public func update(_ body: (inout Value) -> Void) { change?(body) }

    /// A value that never changes.
    public static func constant(_ value: Value) -> SettingBinding { SettingBinding(read: { value }) }

    /// The same value, not to be written.
    public var readOnly: SettingBinding { SettingBinding(read: read) }

    /// A part of the value.
    public subscript<Member: Sendable>(
        dynamicMember path: any WritableKeyPath<Value, Member> & Sendable
    ) -> SettingBinding<Member> {
        SettingBinding<Member>(
            read: { [read] in read()[keyPath: path] },
            change: change.map { change in { @Sendable body in change { body(&$0[keyPath: path]) } } },
            stored: stored.map { .init(commit: $0.commit, error: $0.error) }
        )
    }

    /// The value in another form.
    ///
    /// - Parameters:
    ///   - transform: Makes the other form.
    ///   - back: Makes the value of the other form; without it the result is read-only.
    /// - Returns: A binding to the same value.
    public func map<Other: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Other,
        back: (@Sendable (Other) -> Value)? = nil
    ) -> SettingBinding<Other> {
        let change = self.change
        let changeOther: (@Sendable ((inout Other) -> Void) -> Void)? =
            if let change, let back {
                { body in
                    change { value in
                        var other = transform(value)
                        body(&other)
                        value = back(other)
                    }
                }
            } else { nil }
        return SettingBinding<Other>(
            read: { [read] in transform(read()) },
            change: changeOther,
            stored: stored.map { .init(commit: $0.commit, error: $0.error) }
        )
    }

    /// The value, or another one in place of none.
    public func defaulting<Wrapped: Sendable>(to value: Wrapped) -> SettingBinding<Wrapped> where Value == Wrapped? {
        map {
            $0 ?? value
        } back: {
            $0
        }
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
