import Platform

/// One of the parts into which bridges that share printers divide them, by a hash of their names.
///
/// Each slot is with one member at most, and has a session of its own at the broker. The broker keeps the commands that the
/// member has not committed, and gives them to the slot's next member.
package struct PrinterSlot: Sendable, Hashable, Comparable {
    /// The number of slots: more divide the printers more evenly, but the broker delivers each command once for each slot.
    ///
    /// All members must agree. With another number, commands that wait at the broker would be lost.
    package static let count = 6
    package static let all = (0..<count).map(PrinterSlot.init(number:))

    package let number: Int

    private init(number: Int) { self.number = number }

    package init(of printer: PrinterID) { self.init(ofName: printer.description) }

    /// The slot of a name, also of one that no printer can have.
    package init(ofName name: some StringProtocol) {
        number = Int(stableHash(name) % UInt64(Self.count))
    }

    package init?(_ description: some StringProtocol) {
        guard let number = Int(description), Self.all.indices.contains(number) else { return nil }
        self.number = number
    }

    package static func < (one: PrinterSlot, other: PrinterSlot) -> Bool { one.number < other.number }
}

extension PrinterSlot: CustomStringConvertible {
    package var description: String { "\(number)" }
}
