public import Observation
import Synchronization

/// The memory of one setting, protected by the lock of its core.
protocol AnyCell: AnyObject, Sendable {
    var place: Int { get }
    var name: String { get }
    /// The names of earlier versions, newest first.
    var previousNames: [String] { get }
    var type: SettingType { get }
    var keyPath: Observed.ObservedKeyPath { get }

    /// A stored value that is kept beside an assigned one: sealed for a secret.
    func unread(_ stored: JSONValue?) -> JSONValue?
    /// Decodes the value in a record. It runs code of the value's type: never call it under a lock.
    func decode(_ found: FoundValue) -> DecodedValue
    /// The value in force; the closure encodes it, and must not be called under a lock either.
    func snapshot() -> @Sendable () -> JSONValue
}

/// A value of a setting that is ready to be put in place.
struct DecodedValue: Sendable {
    let cell: any AnyCell
    /// What was decoded; nil for the default.
    let stored: JSONValue?
    /// Why it does not fit, so that the default is in force.
    let error: SettingsError?
    /// The stored value if it is of another type; an assignment must not lose it.
    let unread: JSONValue?
    /// What to store under the name of the setting; nil unless the value is moved.
    let moved: JSONValue?
    /// Puts the value in place and keeps the one before.
    let put: @Sendable () -> Void
    /// Whether the two differ; never call it under a lock.
    let isDifferent: @Sendable () -> Bool
}

/// The memory of one setting of a known type: reading decodes and allocates nothing.
@usableFromInline
// Protected by the lock of its core, `SettingsCore.state`, which the compiler cannot see.
final class Cell<Value: Sendable>: AnyCell, @unchecked Sendable {
    @usableFromInline let place: Int
    @usableFromInline let keyPath: Observed.ObservedKeyPath
    @usableFromInline @exclusivity(unchecked) var value: Value
    @usableFromInline let key: SettingsKey<Value>

    init(_ key: SettingsKey<Value>, at place: Int) {
        self.key = key
        self.place = place
        keyPath = key.keyPath
        value = key.default
    }

    var name: String { key.name }
    var type: SettingType { key.codec.type }
    var previousNames: [String] { key.metadata.previousKeys }

    /// Exchanges the value; the caller compares and releases the old one outside of the lock.
    @inlinable
    func exchange(_ other: inout Value) { swap(&value, &other) }

    /// The compiler keeps one of these lines for a known type; calling the closure costs as much as the write.
    @inlinable
    @inline(__always)
    func isEqual(_ one: Value, _ other: Value) -> Bool {
        if Value.self == Int.self, let one = one as? Int, let other = other as? Int { return one == other }
        if Value.self == Bool.self, let one = one as? Bool, let other = other as? Bool { return one == other }
        if Value.self == Double.self, let one = one as? Double, let other = other as? Double {
            return one.isEqualOrNaN(other)
        }
        if Value.self == String.self, let one = one as? String, let other = other as? String { return one == other }
        return key.areEqual(one, other)
    }

    func unread(_ stored: JSONValue?) -> JSONValue? { key.isSecret ? stored?.sealed : stored }

    func decode(_ found: FoundValue) -> DecodedValue {
        let (value, error) = key.read(found)
        // A value that does not fit stays where it is, for a version of the program that knows it.
        let moved = found.isMoved && error == nil ? key.stored(value) : nil
        let unread = error?.code == .wrongType ? self.unread(found.stored) : nil
        let held = LockedValue(value)
        return DecodedValue(cell: self, stored: found.stored, error: error, unread: unread, moved: moved) { [self] in
            var value = held.value
            exchange(&value)
            held.value = value
        } isDifferent: { [key] in
            !key.areEqual(held.value, value)
        }
    }

    func snapshot() -> @Sendable () -> JSONValue {
        let value = value
        return { [key] in key.stored(value) }
    }
}

/// The registrar of a model's observers: the base class of its core.
@usableFromInline
// Protected by the lock of the registrar, its only property. Unchecked, since the compiler checks final classes only.
class Observed: Observable, @unchecked Sendable {
    @usableFromInline typealias ObservedKeyPath = any KeyPath<Observed, Int> & Sendable

    static let errors = keyPath()
    static let syncErrors = keyPath()
    /// Whether settings are set; assigning the default changes this and no value.
    static let setMarks = keyPath()
    static let commits = keyPath()
    private static let keyPaths = Atomic(0)

    @usableFromInline let registrar = ObservationRegistrar()

    /// A new key path, by which the registrar identifies a setting.
    static func keyPath() -> ObservedKeyPath {
        let number = keyPaths.add(1, ordering: .relaxed).newValue
        return \Observed[observed: number]
    }

    private subscript(observed number: Int) -> Int { number }

    final func observe(_ keyPath: ObservedKeyPath) { registrar.access(self, keyPath: keyPath) }

    final func announce(_ keyPath: ObservedKeyPath) { registrar.withMutation(of: self, keyPath: keyPath) {} }
}
