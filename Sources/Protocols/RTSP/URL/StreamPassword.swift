/// A password that does not print, log, dump or encode itself; only ``reveal()`` gives it away.
package struct StreamPassword: Sendable, Hashable {
    private let value: String

    package init(_ value: String) { self.value = value }

    package func reveal() -> String { value }
}

extension StreamPassword: CustomStringConvertible, CustomReflectable {
    /// Eight asterisks, whatever the password.
    package var description: String { "********" }
    /// Nothing: a dump shows no child.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
