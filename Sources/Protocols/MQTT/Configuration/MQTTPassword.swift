/// A password that does not print itself.
public struct MQTTPassword: Sendable, Hashable, CustomStringConvertible, CustomReflectable, ExpressibleByStringLiteral {
    let value: String

    /// Wraps a password.
    public init(_ value: String) { self.value = value }

    /// Wraps a literal; for tests.
    public init(stringLiteral value: String) { self.init(value) }

    /// Always the mask.
    public var description: String { "********" }
    /// No children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
