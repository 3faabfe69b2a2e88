/// Something that happened to a print or to its printer.
package struct PrintEvent: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case printStarted = "print_started"
        case printFinished = "print_finished"
        /// The print ended early, and nobody cancelled it.
        case printFailed = "print_failed"
        case printCancelled = "print_cancelled"
        /// The print stopped, and can go on.
        case printPaused = "print_paused"
        /// An error, or a message more serious than information, is new.
        case printerError = "printer_error"
        case filamentChanged = "filament_changed"
    }

    package var kind: Kind
    /// The stage in which a print paused, such as `filament_ran_out`; its number if it has no name.
    package var reason: String?
    package var fault: PrinterFault?
    package var filament: ActiveFilament?

    /// The events between two states; none before the first state.
    package static func events(from old: PrintState?, to new: PrintState) -> [PrintEvent] {
        guard let old else { return [] }
        return progress(from: old, to: new) + faults(from: old, to: new) + filament(from: old, to: new)
    }

    private static func progress(from old: PrintState, to new: PrintState) -> [PrintEvent] {
        guard let before = old.history.activity, let now = new.history.activity, before != now else { return [] }
        switch (before, now) {
        case (.paused, .printing), (_, .idle), (_, .failing): return []
        case (_, .printing): return [PrintEvent(kind: .printStarted)]
        case (_, .paused): return [pause(new)]
        case (.ended, .ended): return []
        // A printer that shows the end of a print after its start, or after a calibration.
        case (.idle, .ended): return []
        case (_, .ended(.finished)): return [PrintEvent(kind: .printFinished)]
        case (_, .ended(.cancelled)): return [PrintEvent(kind: .printCancelled)]
        case (_, .ended(.failed(let fault))): return [PrintEvent(kind: .printFailed, fault: fault)]
        }
    }

    private static func pause(_ state: PrintState) -> PrintEvent {
        let stage = state.stage.flatMap { $0.isPause || $0.name(isPrinting: true) == nil ? $0 : nil }
        let reason = stage.map { $0.name(isPrinting: true) ?? "\($0.rawValue)" }
        return PrintEvent(kind: .printPaused, reason: reason, fault: state.error)
    }

    private static func faults(from old: PrintState, to new: PrintState) -> [PrintEvent] {
        let known = Set(old.faults.map(\.code) + [old.error?.code, PrinterFault.cancelled?.code].compactMap(\.self))
        let present = (new.error.map { [$0] } ?? []) + new.faults.filter { $0.severity != .info }
        return present.filter { !known.contains($0.code) }.map { PrintEvent(kind: .printerError, fault: $0) }
    }

    private static func filament(from old: PrintState, to new: PrintState) -> [PrintEvent] {
        guard let before = old.history.filament, let now = new.history.filament, now.differs(from: before)
        else { return [] }
        return [PrintEvent(kind: .filamentChanged, filament: now)]
    }
}
