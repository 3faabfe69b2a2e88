import JSON

/// What a printer shows of prints.
package enum PrintPhase: String, Sendable, Hashable, Codable {
    case preparing, running, paused, finish, failed, noPrint
    /// A calibration, which reports the states and the layers of a print.
    case calibration
    /// Nothing about prints, for example while the printer starts.
    case nothing

    /// Whether a print runs, is being prepared, or is paused; a calibration is no print.
    package var isActive: Bool { [.preparing, .running, .paused].contains(self) }
}

extension PrintState {
    /// What the printer shows of prints.
    package var shown: PrintPhase {
        switch values["state"]?.stringValue {
        case nil, "init", "offline": .nothing
        case _ where values["print_type"] == "system": .calibration
        case "prepare", "slicing": .preparing
        case "running": .running
        case "pause": .paused
        case "finish": .finish
        case "failed": .failed
        default: .noPrint
        }
    }
}
