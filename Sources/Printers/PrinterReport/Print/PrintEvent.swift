/// Something that happened to a print or to its printer.
package struct PrintEvent: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case printStarted = "print_started"
        case printFinished = "print_finished"
        /// The print ended early, and nobody cancelled it.
        case printFailed = "print_failed"
        case printCancelled = "print_cancelled"
        /// The print ended, but it is not known how.
        case printEnded = "print_ended"
        /// The print stopped, and can go on.
        case printPaused = "print_paused"
        /// An error, or a message more serious than information, is new.
        case printerError = "printer_error"
        /// The printer refused a command of some program.
        case commandRefused = "command_refused"
        case filamentChanged = "filament_changed"
    }

    package var kind: Kind
    /// The stage in which a print paused, or why the outcome of a print is not known.
    ///
    /// A stage is a name such as `filament_ran_out`, or a number if it has no name.
    package var reason: String?
    package var fault: PrinterFault?
    package var filament: ActiveFilament?
    /// The name of the print that the event is about.
    package var job: String?
}
