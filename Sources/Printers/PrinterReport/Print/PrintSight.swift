import Foundation
import StoredSettings

/// What a report says about prints.
struct PrintSight: Sendable, Hashable, Codable {
    var shown: PrintPhase
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
        self.init(
            shown: state.shown,
            identity: state.identity,
            progress: state.progress,
            fault: state.printFault,
            failReason: state.failReason,
            isWhole: isWhole,
            time: time
        )
    }
}
