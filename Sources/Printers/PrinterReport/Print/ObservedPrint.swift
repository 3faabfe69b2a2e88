import Foundation

/// One print, as the reports show it.
struct ObservedPrint: Sendable, Hashable, Codable {
    /// Values of the previous print, which the printer may still report.
    private struct Former: Sendable, Hashable, Codable {
        var identity: PrintIdentity
        var progress: Int?
    }

    /// How long, in seconds, a printer may still report the names of the print before; ten seconds were observed.
    private static let settling = 60.0

    private(set) var identity: PrintIdentity
    /// The name that the printer shows now, which may still be that of the print before.
    private var shownJob: String?
    /// When the print began, and when it ended; nil if the bridge did not see it.
    private(set) var start: Date?
    var end: Date?
    /// The progress when the print ran last; nil while the print is only prepared.
    private(set) var progress: Int?
    private(set) var isPaused = false
    /// The latest error, until the print runs on without it; a cancellation goes before all other errors.
    private(set) var cause: PrinterFault?
    private var causeSeen = Date.distantPast
    /// When the printer first reported the cause.
    private(set) var causeBegan = Date.distantPast
    /// Whether the print was paused after ``cause`` was first reported.
    ///
    /// A paused print that runs again without this error was resumed by a person.
    private var causePaused = false
    private let seen: Date
    private var former: Former?
    /// The error of the print before, while it is still reported.
    private var formerFault: PrinterFault?

    /// A print that the first report shows.
    init(_ sight: PrintSight) {
        (identity, seen) = (sight.identity, sight.time)
        noteCause(sight, isWatched: true)
        note(sight, isWatched: true)
    }

    /// A print that begins with this report; `last` is the report before it, of another print or of none.
    init(_ sight: PrintSight, start: Date?, after last: PrintSight, named former: PrintIdentity, isWatched: Bool) {
        (seen, self.start) = (sight.time, start)
        self.former = Former(identity: former, progress: last.progress)
        identity = sight.identity.without(former)
        formerFault = last.fault
        noteCause(sight, isWatched: isWatched)
        note(sight, isWatched: isWatched)
    }

    /// Notes the names, the progress and the pauses that a report shows.
    mutating func note(_ sight: PrintSight, isWatched: Bool) {
        shownJob = sight.identity.job
        former = former(in: sight, isWatched: isWatched)
        let names = former.map { sight.identity.without($0.identity) } ?? sight.identity
        identity = identity.relation(to: names) == .other ? names : identity.completed(by: names)
        isPaused = sight.shown == .paused
        let new = progress(in: sight, isWatched: isWatched) ?? progress ?? 0
        // After a restart, changes alone may not show that the print no longer prepares.
        if let former, sight.progress != former.progress { self.former?.progress = nil }
        guard [.running, .paused].contains(sight.shown) else { return }
        // After a break, a change may be about another print.
        progress = isWatched || sight.isWhole ? new : max(new, progress ?? 0)
    }

    mutating func noteCause(_ sight: PrintSight, isWatched: Bool) {
        if sight.fault != formerFault { formerFault = nil }
        let isCertain = isWatched || sight.isWhole
        let isGoingOn = [.preparing, .running].contains(sight.shown)
        let failReason = sight.shown == .failed && isCertain ? sight.failReason : nil
        if let fault = formerFault == nil ? sight.fault : nil, cause?.isCancellation != true || fault.isCancellation {
            if fault != cause { (causeBegan, causePaused) = (sight.time, false) }
            (cause, causeSeen) = (fault, sight.time)
        } else if isGoingOn, causePaused || sight.time.isAtLeast(PrintAlarms.hold, after: causeSeen) {
            cause = nil
        } else if !isWatched, sight.isWhole, cause?.isCancellation != true {
            // The print may have run on without the error since.
            cause = nil
        }
        if let failReason, cause == nil || failReason.isCancellation {
            (cause, causeBegan, causePaused) = (failReason, sight.time, false)
        }
        if sight.shown == .paused { causePaused = true }
    }

    /// Whether the code of a cancelled print may still come after its end.
    ///
    /// That is so if no error is known, or only one that paused the print or with which the print went on.
    func awaitsCode(after end: Date) -> Bool {
        guard let cause else { return true }
        return !cause.isCancellation && (isPaused || causePaused || end.isAtLeast(PrintAlarms.hold, after: causeBegan))
    }

    var job: String? { identity.job ?? shownJob }

    mutating func forgetNames() { identity = PrintIdentity() }

    mutating func complete(_ names: PrintIdentity) { identity = identity.completed(by: names) }

    /// Whether a report is about another print.
    func isOther(in sight: PrintSight, isWatched: Bool) -> Bool {
        switch identity.relation(to: sight.identity) {
        case .other: return !isRenamed(by: sight, isWatched: isWatched)
        case .same: return false
        case .unknown:
            // Without ids, a print whose progress is less than before is another one.
            guard !isWatched, sight.isWhole, let progress, progress > 0 else { return false }
            switch sight.shown {
            case .preparing: return true
            case .running, .paused: return self.progress(in: sight, isWatched: isWatched).map { $0 < progress } ?? false
            case .finish, .failed, .noPrint, .calibration, .nothing: return false
            }
        }
    }

    /// Whether a report shows that the print did not end, although the report before showed no print.
    ///
    /// The progress of another print, which may have the same names, is less.
    func runsOn(in sight: PrintSight) -> Bool {
        guard [.running, .paused].contains(sight.shown), let progress, progress > 0, let shown = sight.progress else {
            return false
        }
        return shown >= progress && !isOther(in: sight, isWatched: true)
    }

    /// Whether a print that has just begun gets its own ids late.
    ///
    /// Until then the printer may show the ids of an earlier print, which the bridge does not know.
    private func isRenamed(by sight: PrintSight, isWatched: Bool) -> Bool {
        isNew(at: sight.time) && isWatched && identity.job != nil && identity.job == sight.identity.job
    }

    /// Whether it has just begun.
    func isNew(at time: Date) -> Bool { !time.isAtLeast(Self.settling, after: seen) && progress ?? 0 == 0 }

    /// The event of the print's end.
    func outcome(_ shown: PrintEvent.EndSign, in sight: PrintSight? = nil, isWatched: Bool) -> PrintEvent {
        let reported = shown == .finish ? sight.flatMap { self.progress(in: $0, isWatched: isWatched) } : nil
        let unseen = isWatched || reported == 0 ? nil : reported
        let progress = progress.map { max($0, reported ?? 0) } ?? unseen
        var event = PrintEvent.outcome(shown, isWatched: isWatched, progress: progress, cause: cause)
        event.job = job
        return event
    }

    /// The values of the previous print, while the printer may still report them; nil after that time.
    private func former(in sight: PrintSight, isWatched: Bool) -> Former? {
        let isSettled = sight.time.isAtLeast(Self.settling, after: seen)
        return isSettled && (isWatched || sight.isWhole) ? nil : former
    }

    /// The reported progress, unless it may still be that of the print before.
    private func progress(in sight: PrintSight, isWatched: Bool) -> Int? {
        let former = former(in: sight, isWatched: isWatched)?.progress
        return former != nil && former == sight.progress ? nil : sight.progress
    }
}
