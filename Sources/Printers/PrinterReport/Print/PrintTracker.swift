package import Foundation
import StoredSettings

/// Makes states from a printer's reports, and events from the changes between them.
///
/// A value without a clock: the time comes in. What it remembers outlives breaks of the connection and restarts.
package struct PrintTracker: Sendable, Hashable {
    /// What a restart must keep, because the printer does not report it again.
    package struct Memory: Sendable, Hashable, Codable {
        var course: PrintCourse
        var alarms: PrintAlarms
    }

    /// When the latest print began and ended; nil if the bridge does not know it.
    package struct Times: Sendable, Hashable {
        package var start: Date?
        package var end: Date?
        package var isOver = false

        package init() {}
    }

    package private(set) var memory: Memory?
    /// What the printer reported last.
    private var reported: PrintState?
    private var time = Date.distantPast
    /// The filament that fed last; a tray that ran out does not count as another filament.
    private var filament: ActiveFilament?

    package init() {}

    /// Restores a kept report and its memory; `time` is the time of the report.
    package init(_ report: Report, _ memory: Memory?, on family: PrinterFamily?, at time: Date) {
        _ = follow(report, .full, on: family, at: time)
        self.memory = memory ?? self.memory
        loseSight()
    }

    /// What the printer reported last, with the alarms that are not over; nil before the first report.
    package var state: PrintState? {
        guard var state = reported, let memory else { return nil }
        if memory.course.cancellation != nil { state.faults.removeAll(where: \.isCancellationEcho) }
        let held = memory.alarms.held(at: time)
        let known = Set(state.faults.map(\.code))
        state.error = state.error ?? held.error
        state.faults += held.messages.filter { !known.contains($0.code) }
        return state
    }

    package var times: Times {
        var times = Times()
        guard let course = memory?.course, let print = course.print else { return times }
        (times.start, times.end) = (print.start, print.end)
        if case .ended = course.phase { times.isOver = true }
        return times
    }

    /// Whether ``state`` is what the printer reports now, and nothing was missed since its last whole report.
    package var isWatched: Bool { memory?.course.isWatched == true }

    /// Notes that events may be missed from now on, until the next whole report.
    package mutating func loseSight() { memory?.course.loseSight() }

    /// Takes the next report; returns the events since the last one, and none for the first report.
    package mutating func follow(
        _ report: Report,
        _ change: Report.Change,
        on family: PrinterFamily?,
        at time: Date
    ) -> [PrintEvent] {
        let new = PrintState(report, on: family)
        let sight = PrintSight(new, isWhole: change == .full, at: time)
        let isFirst = memory == nil
        var memory = memory ?? Memory(course: PrintCourse(sight), alarms: PrintAlarms())
        // Versions say nothing about prints, and are the first answer after a break.
        let steps = change == .version ? [] : memory.course.follow(sight)
        let course = steps.map { $0.kind == .printPaused ? $0.paused(in: new) : $0 }
        memory.alarms.cancellation = memory.course.cancellation ?? memory.alarms.cancellation
        let messages = new.faults.filter { memory.course.cancellation == nil || !$0.isCancellationEcho }
        let refusal = new.refusal.map { [$0] } ?? []
        let faults = memory.alarms.update(new.error, messages + refusal, at: time).map {
            PrintEvent(kind: $0.isRefusal ? .commandRefused : .printerError, fault: $0)
        }
        let fed = Self.fed(new)?.identified(after: filament)
        let other = fed.flatMap { fed in filament.flatMap { fed.differs(from: $0) ? fed : nil } }
        (self.memory, reported, self.time, filament) = (memory, new, time, fed ?? filament)
        if isFirst { return [] }
        return course + faults + (other.map { [PrintEvent(kind: .filamentChanged, filament: $0)] } ?? [])
    }

    /// Advances the time without a report, which may end the wait for a code and the hold of an alarm.
    package mutating func settle(at time: Date) -> [PrintEvent] {
        self.time = time
        memory?.alarms.expire(at: time)
        return memory?.course.settle(at: time) ?? []
    }

    private static func fed(_ state: PrintState) -> ActiveFilament? {
        state.filament.flatMap { $0.tray.isEmpty == true ? nil : $0 }
    }
}

extension PrintEvent {
    /// A pause with its reason: the printer's stage, or else who asked for the pause.
    fileprivate func paused(in state: PrintState) -> PrintEvent {
        let stage = state.stage.flatMap { $0.isPause || $0.name(isPrinting: true) == nil ? $0 : nil }
        var event = self
        event.reason = stage.map { $0.name(isPrinting: true) ?? "\($0.rawValue)" } ?? state.wantedPause
        event.fault = state.error?.asCause
        return event
    }
}
