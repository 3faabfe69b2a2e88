/// A password that does not print, log, dump or encode itself; only ``reveal()`` gives it away.
public struct RTSPPassword: Sendable, Hashable {
    private let value: String

    /// Wraps a password.
    public init(_ value: String) { self.value = value }

    /// The password in clear text.
    public func reveal() -> String { value }
}

extension RTSPPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Eight asterisks, whatever the password.
    public var description: String { "********" }
    /// Eight asterisks, whatever the password.
    public var debugDescription: String { description }
    /// Nothing: a dump shows no child.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
