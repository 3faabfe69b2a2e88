import Foundation
import StoredSettings

/// What a report says about prints.
struct PrintSight: Sendable, Hashable, Codable {
    enum Shown: String, Sendable, Hashable, Codable {
        case preparing, running, paused, finish, failed, noPrint
        /// A calibration reports the states of a print.
        case calibration
        /// Nothing about prints, for example while the printer starts.
        case nothing
    }

    var shown: Shown
    var identity = PrintIdentity()
    var progress: Int?
    /// The print's error or its cancellation.
    var fault: PrinterFault?
    /// Why the last print failed, which X1, P2S, H2 and X2 printers keep until the next one begins.
    var failReason: PrinterFault?
    /// Whether this is a whole report; after a break, a change does not show what else has changed.
    var isWhole = true
    var time: Date
}

extension PrintSight {
    init(_ state: PrintState, isWhole: Bool, at time: Date) {
        let isCalibration = state.values["print_type"] == "system"
        let shown: Shown =
            switch state.values["state"]?.stringValue {
            case nil, "init", "offline": .nothing
            case _ where isCalibration: .calibration
            case "prepare", "slicing": .preparing
            case "running": .running
            case "pause": .paused
            case "finish": .finish
            case "failed": .failed
            default: .noPrint
            }
        self.init(
            shown: shown,
            identity: state.identity,
            progress: state.values["progress"]?.intValue,
            fault: state.printFault,
            failReason: state.failReason,
            isWhole: isWhole,
            time: time
        )
    }
}
