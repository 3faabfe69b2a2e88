import PrinterLink
import Printers

/// How many events of a printer are published.
///
/// What prints do has a share of its own, which faults and filaments cannot use up.
struct EventLimit: Sendable {
    private enum Share: Hashable {
        case prints, faults, filament
    }

    /// More than happens to a printer within minutes.
    private static let limit = RateLimit(burst: 20, perSecond: 0.5)
    /// Says so once an hour.
    private var warning = RateLimit(burst: 1, perSecond: 1 / 3_600)
    private var shares: [Share: RateLimit] = [:]

    /// Takes out the events that are too many; returns how many these are, and whether to say so.
    mutating func limit(_ events: inout [PrintEvent], at now: Double) -> (dropped: Int, isWarning: Bool) {
        let allowed = events.filter { shares[Self.share(of: $0.kind), default: Self.limit].allows(at: now) }
        let dropped = events.count - allowed.count
        events = allowed
        return (dropped, dropped > 0 && warning.allows(at: now))
    }

    private static func share(of kind: PrintEvent.Kind) -> Share {
        switch kind {
        case .printStarted, .printFinished, .printFailed, .printCancelled, .printEnded, .printPaused: .prints
        case .printerError, .commandRefused: .faults
        case .filamentChanged: .filament
        }
    }
}
