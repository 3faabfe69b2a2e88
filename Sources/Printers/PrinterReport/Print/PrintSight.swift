import Foundation
import StoredSettings

/// What a report says about prints.
struct PrintSight: Sendable, Hashable, Codable {
    let shown: PrintPhase
    let identity: PrintIdentity
    let progress: Int?
    /// The print's error or its cancellation.
    let fault: PrinterFault?
    /// Why the last print failed, which X1, P2S, H2 and X2 printers keep until the next one begins.
    let failReason: PrinterFault?
    /// Whether this is a whole report; after a break, a change does not show what else has changed.
    let isWhole: Bool
    let time: Date

    init(_ state: PrintState, isWhole: Bool, at time: Date) {
        (shown, identity, progress) = (state.shown, state.identity, state.progress)
        (fault, failReason) = (state.printFault, state.failReason)
        (self.isWhole, self.time) = (isWhole, time)
    }
}
