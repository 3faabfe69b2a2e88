package import Foundation
package import PrinterReport
import StoredSettings

/// What a printer reports of itself while `telemetry` is on; never in the store.
package struct ReportState: Sendable, Hashable {
    /// Seconds until an unchanged report is published again; its topics expire after twice that time more.
    private static let renewal = 600.0
    /// The end of a print is published again when it moves by more than this, in seconds: printers report minutes.
    private static let tolerance = 90.0

    package private(set) var status: ReportStatus
    package private(set) var problem: ReportProblem?
    package private(set) var since: Date
    /// What the printer reports; nil while there is no connection with a whole report.
    package private(set) var print: PrintState?
    /// What the printer has, as far as it was ever reported; nil before the first report.
    package private(set) var equipment: PrintEquipment?
    private var times = PrintTracker.Times()
    package private(set) var endsAt: Date?
    /// When the report is out of date.
    package private(set) var validUntil: Date?

    package var startedAt: Date? { times.start }

    package init(_ status: ReportStatus, _ problem: ReportProblem? = nil, at time: Date) {
        (self.status, self.problem, since) = (status, problem, time)
    }

    /// Takes over what the printer reports at `time`.
    ///
    /// `steady` is the same moment by `Date.steady`; nil for `time` itself.
    package mutating func apply(
        _ update: ReportReader.Update,
        on family: PrinterFamily?,
        at time: Date,
        steady: Date? = nil
    ) {
        // A new attempt after a failure does not change the status.
        let isAttempt = update.phase == .connecting && [.lost, .yielding].contains(status)
        if !isAttempt, (update.phase.status, update.phase.problem) != (status, problem) {
            (status, problem, since) = (update.phase.status, update.phase.problem, time)
        }
        print = update.state
        validUntil = nil
        guard let state = update.state else { return }
        equipment = PrintEquipment(state, on: family, after: equipment)
        validUntil = Date(
            timeIntervalSince1970: ((steady ?? time).timeIntervalSince1970 / Self.renewal).rounded(.up) * Self.renewal
                + 2 * Self.renewal
        )
        if update.times.isOver || update.times != times { endsAt = update.times.end }
        times = update.times
        guard !times.isOver, state.shown.isActive, let minutes = state.values["remaining_minutes"]?.doubleValue else {
            return
        }
        let end = time + minutes * 60
        if endsAt.map({ abs($0.timeIntervalSince(end)) > Self.tolerance }) ?? true { endsAt = end }
    }
}
