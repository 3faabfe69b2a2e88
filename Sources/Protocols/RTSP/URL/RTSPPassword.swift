/// A password that does not print, log, dump or encode itself; only ``reveal()`` gives it away.
package struct RTSPPassword: Sendable, Hashable {
    private let value: String

    /// Wraps a password.
    package init(_ value: String) { self.value = value }

    /// The password in clear text.
    package func reveal() -> String { value }
}

extension RTSPPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Eight asterisks, whatever the password.
    package var description: String { "********" }
    /// Eight asterisks, whatever the password.
    package var debugDescription: String { description }
    /// Nothing: a dump shows no child.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
