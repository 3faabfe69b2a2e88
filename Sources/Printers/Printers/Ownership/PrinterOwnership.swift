import Synchronization

/// Which slots this member owns at this moment; every part of the bridge checks it before it acts.
///
/// Ownership ends with the lease by the clock, so a process that was stopped meanwhile does nothing when it goes on.
package final class PrinterOwnership: Sendable {
    fileprivate struct State {
        var slots: Set<PrinterSlot> = []
        var isLeader = false
        var deadline: ContinuousClock.Instant?
        var isLast = false

        fileprivate var isActive: Bool { deadline.map { ContinuousClock.now < $0 } ?? false }
    }

    /// The name of the bridges that share the printers.
    package let group: String
    package let member: String
    private let state = Mutex(State())

    package init(group: String, member: String) { (self.group, self.member) = (group, member) }

    package var isActive: Bool { state.withLock { $0.isActive } }
    package var isLeader: Bool { state.withLock { $0.isActive && $0.isLeader } }

    package func owns(_ slot: PrinterSlot) -> Bool { state.withLock { $0.isActive && $0.slots.contains(slot) } }
    package func owns(_ id: PrinterID) -> Bool { owns(PrinterSlot(of: id)) }

    /// Whether topics are this member's to publish: those of a printer, or without one those of the bridge itself.
    package func owns(topicsOf printer: PrinterID?) -> Bool { printer.map { owns($0) } ?? isLeader }

    /// Lets the member act until a moment; nil ends it at once.
    package func setDeadline(_ deadline: ContinuousClock.Instant?) { state.withLock { $0.deadline = deadline } }

    /// Notes that no other member is left to speak for all when this one leaves.
    package func setLast() { state.withLock { $0.isLast = true } }
    package var isLast: Bool { state.withLock(\.isLast) }

    package func insert(_ slots: Set<PrinterSlot>) { state.withLock { $0.slots.formUnion(slots) } }
    package func remove(_ slots: Set<PrinterSlot>) { state.withLock { $0.slots.subtract(slots) } }
    package func setLeader(_ isLeader: Bool) { state.withLock { $0.isLeader = isLeader } }
    /// What the member owns until it gives it away, whether or not its lease still allows it to act.
    package var held: (slots: Set<PrinterSlot>, isLeader: Bool) { state.withLock { ($0.slots, $0.isLeader) } }
}
