import Foundation

/// The course of prints: which print there is, and which events it has.
///
/// A value without a clock and without a connection: reports and their times come in, events come out.
struct PrintCourse: Sendable, Hashable, Codable {
    enum Phase: Sendable, Hashable, Codable {
        /// No print was seen yet.
        case none
        case active(ObservedPrint)
        /// The printer shows that the print failed, and the code that says why may follow.
        case failing(ObservedPrint, since: Date, isWatched: Bool)
        /// After a break the printer shows no print; if it was off, it may go on with this one.
        case vanished(ObservedPrint, since: Date)
        case ended(ObservedPrint)
    }

    /// How long after the end, in seconds, the code of a cancelled print may come; a few seconds were observed.
    static let timeout = 10.0
    /// How long, in seconds, a printer that was switched on may show no print before it goes on.
    private static let startup = 60.0
    /// The longest break, in seconds, whose end counts as the time of what happened in it.
    private static let accuracy = 300.0

    private(set) var phase: Phase
    /// Whether nothing was missed since the last whole report.
    private(set) var isWatched = true
    /// Whether the next report is the first one after a break: what it shows may have happened in the break.
    private var isResuming = false
    /// Whether a whole report came since the last break; that of a starting printer shows no state.
    private var isReported = true
    private var last: PrintSight
    /// The last print's names, which may still be reported when the next begins.
    private var formerNames: PrintIdentity

    /// Begins with the first report, which has no events.
    init(_ sight: PrintSight) {
        (last, formerNames) = (sight, sight.identity)
        phase =
            switch sight.shown {
            case .preparing, .running, .paused: .active(ObservedPrint(sight))
            case .finish, .failed: .ended(ObservedPrint(sight))
            case .noPrint, .calibration, .nothing: .none
            }
    }

    /// The present print, or the last one.
    var print: ObservedPrint? {
        switch phase {
        case .none: nil
        case .active(let print), .failing(let print, _, _), .vanished(let print, _), .ended(let print): print
        }
    }

    /// When the printer first reported that the present print, or the last print, was cancelled.
    var cancellation: Date? { print.flatMap { $0.cause?.isCancellation == true ? $0.causeBegan : nil } }

    /// Notes that events may be missed from now on, until the next whole report.
    mutating func loseSight() {
        (isWatched, isResuming, isReported) = (false, true, false)
        if case .failing(let print, let since, _) = phase { phase = .failing(print, since: since, isWatched: false) }
    }

    mutating func follow(_ sight: PrintSight) -> [PrintEvent] {
        let before = phase
        defer {
            // Names that change while no print runs are the names of the next print.
            if phase != before || !isWatched && sight.isWhole { formerNames = sight.identity }
            (last, isReported) = (sight, isReported || sight.isWhole)
            if sight.shown != .nothing { (isWatched, isResuming) = (isWatched || isReported, false) }
        }
        switch phase {
        case .none: return leave(last.identity, for: sight)
        case .ended(let print): return leave(print.identity, for: sight)
        case .active(let print): return goOn(print, sight) + settle(at: sight.time)
        case .failing(let print, let since, let isFailureWatched):
            return goOn(print, since, isFailureWatched, sight) + settle(at: sight.time)
        case .vanished where [.noPrint, .nothing].contains(sight.shown): return settle(at: sight.time)
        case .vanished(let print, _) where print.runsOn(in: sight): return goOn(print, sight)
        case .vanished(let print, _): return [endVanished(print)] + leave(print.identity, for: sight)
        }
    }

    /// Ends the wait for the code of a cancelled print, or for a print that vanished in a break.
    mutating func settle(at time: Date) -> [PrintEvent] {
        switch phase {
        case .failing(let print, let since, true) where time.isAtLeast(Self.timeout, after: since):
            return [end(print, print.outcome(.failed, isWatched: true), at: since, isCertain: isWatched)]
        case .vanished(let print, let since) where !isResuming && time.isAtLeast(Self.startup, after: since):
            return [endVanished(print)]
        default: return []
        }
    }

    // MARK: Steps

    /// Takes a report when no print runs, although the printer may show the last print for days.
    private mutating func leave(_ former: PrintIdentity, for sight: PrintSight) -> [PrintEvent] {
        switch sight.shown {
        case .preparing, .running, .paused: return start(sight)
        case .finish, .failed:
            // The bridge missed this whole print. Without a break, other names are those of the next print.
            let isOther = former.relation(to: sight.identity) == .other && !hasNextNames(sight)
            if !isWatched, sight.isWhole, isOther { return [endUnseen(sight)] }
            switch phase {
            case .ended(var print) where sight.isWhole:
                print.complete(sight.identity)
                phase = .ended(print)
            case .ended, .active, .failing, .vanished: break
            case .none: phase = .ended(ObservedPrint(sight))
            }
            return []
        case .noPrint, .calibration, .nothing: return []
        }
    }

    private mutating func start(_ sight: PrintSight) -> [PrintEvent] {
        let start = time(of: sight)
        let print = ObservedPrint(sight, start: start, after: last, named: formerNames, isWatched: isWatched)
        phase = .active(print)
        let pause = print.isPaused ? [PrintEvent(kind: .printPaused, job: print.job)] : []
        return [PrintEvent(kind: .printStarted, job: print.job)] + pause
    }

    private mutating func endUnseen(_ sight: PrintSight) -> PrintEvent {
        let print = ObservedPrint(sight)
        let shown: PrintEvent.EndSign = sight.shown == .finish ? .finish : .failed
        return end(print, print.outcome(shown, in: sight, isWatched: false), at: nil)
    }

    private mutating func goOn(_ print: ObservedPrint, _ sight: PrintSight) -> [PrintEvent] {
        var print = print
        let isOther = print.isOther(in: sight, isWatched: isWatched) && !hasNextNames(sight)
        if !isOther { print.noteCause(sight, isWatched: isWatched) }
        switch sight.shown {
        case .nothing: phase = .active(print)
        // Printers report the kind of a print late.
        case .calibration where isWatched: phase = print.isNew(at: sight.time) ? .none : .active(print)
        // Some P1 printers become idle when a print is cancelled.
        case .noPrint where isWatched && print.progress != 100 && print.awaitsCode(after: sight.time):
            phase = .failing(print, since: sight.time, isWatched: true)
        case .noPrint where !isWatched: phase = .vanished(print, since: sight.time)
        case .noPrint, .calibration:
            return [end(print, print.outcome(.noPrint, isWatched: isWatched), at: isWatched ? sight.time : nil)]
        case .preparing, .running, .paused:
            if isOther { return replace(print) + start(sight) }
            let wasPaused = print.isPaused
            print.note(sight, isWatched: isWatched)
            phase = .active(print)
            return print.isPaused && !wasPaused ? [PrintEvent(kind: .printPaused, job: print.job)] : []
        case .finish, .failed:
            if isOther { return replace(print) + [endUnseen(sight)] }
            if sight.shown == .failed, print.awaitsCode(after: sight.time), isWatched || !sight.isWhole {
                phase = .failing(print, since: sight.time, isWatched: !isResuming)
                return []
            }
            let outcome = print.outcome(sight.shown == .finish ? .finish : .failed, in: sight, isWatched: isWatched)
            return [end(print, outcome, at: time(of: sight), isCertain: isWatched || sight.isWhole)]
        }
        return []
    }

    private mutating func goOn(
        _ print: ObservedPrint,
        _ since: Date,
        _ isFailureWatched: Bool,
        _ sight: PrintSight
    ) -> [PrintEvent] {
        var print = print
        let isOther = print.isOther(in: sight, isWatched: isWatched)
        let isOver = [.failed, .noPrint].contains(sight.shown)
        if isOver, !isOther { print.noteCause(sight, isWatched: isWatched) }
        switch sight.shown {
        case .failed where isOther:
            return [end(print, print.outcome(.failed, isWatched: false), at: since), endUnseen(sight)]
        case _ where isOver && (!print.awaitsCode(after: since) || !isFailureWatched && (sight.isWhole || isWatched)):
            return [end(print, print.outcome(.failed, isWatched: false), at: since)]
        case .failed, .noPrint, .nothing, .calibration:
            phase = .failing(print, since: since, isWatched: isFailureWatched)
            return []
        case _ where isWatched && isFailureWatched && print.runsOn(in: sight): return goOn(print, sight)
        case .finish, .preparing, .running, .paused:
            return [end(print, print.outcome(.failed, isWatched: false), at: since)] + leave(print.identity, for: sight)
        }
    }

    private mutating func endVanished(_ print: ObservedPrint) -> PrintEvent {
        end(print, print.outcome(.noPrint, isWatched: false), at: nil)
    }

    /// Ends a print because the printer shows another one.
    private mutating func replace(_ print: ObservedPrint) -> [PrintEvent] {
        [end(print, print.outcome(.anotherPrint, isWatched: isWatched), at: nil)]
    }

    /// Ends a print; unless `isCertain`, another print may have replaced it unseen, so its names are forgotten.
    private mutating func end(
        _ print: ObservedPrint,
        _ outcome: PrintEvent,
        at time: Date?,
        isCertain: Bool = true
    ) -> PrintEvent {
        var ended = print
        ended.end = time
        if !isCertain { ended.forgetNames() }
        phase = .ended(ended)
        return outcome
    }

    /// Whether the names in a report may be those of the next print, which printers report up to minutes before it starts.
    ///
    /// A short break has no time for a whole print.
    private func hasNextNames(_ sight: PrintSight) -> Bool { sight.shown == .finish && isSoon(sight) }

    /// The time of what a report shows; nil after a long break.
    private func time(of sight: PrintSight) -> Date? { isWatched || isSoon(sight) ? sight.time : nil }

    private func isSoon(_ sight: PrintSight) -> Bool { sight.time.timeIntervalSince(last.time) < Self.accuracy }
}
