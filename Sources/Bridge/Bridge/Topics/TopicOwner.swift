import Printers

/// Whose topics they are: a printer's, or the bridge's.
struct TopicOwner: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// No printer can be called so.
    static let bridge = Self("bridge")

    /// The name in topics and in the store.
    let description: String
    /// Nil for the bridge, and for a name in the store that no printer can have.
    let printer: PrinterID?

    init(_ name: some StringProtocol) { (description, printer) = (String(name), PrinterID(name)) }

    init(_ printer: PrinterID) { (description, self.printer) = (printer.description, printer) }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
