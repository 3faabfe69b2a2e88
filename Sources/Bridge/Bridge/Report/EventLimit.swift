import Platform
import PrinterReport
import Printers

/// How many events of a printer are published.
///
/// Events of prints have a share of their own, which faults and filaments cannot use up.
struct EventLimit: Sendable {
    private enum Share: Hashable {
        case prints, faults, filament
    }

    /// A real printer has fewer events than this.
    private static let limit = RateLimit(burst: 20, perSecond: 0.5)
    /// One warning an hour.
    private var warning = RateLimit(burst: 1, perSecond: 1 / 3_600)
    private var shares: [Share: RateLimit] = [:]

    /// Removes the events beyond the limit; returns how many it removed, and whether to log a warning.
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
