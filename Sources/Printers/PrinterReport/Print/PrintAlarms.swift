import Foundation

/// The published faults, until they are over.
///
/// Printers report a value near its limit as a fault that comes and goes every few seconds. So a fault is over only when it
/// has been gone for a while.
struct PrintAlarms: Sendable, Hashable, Codable {
    private struct Alarm: Sendable, Hashable, Codable {
        var fault: PrinterFault
        /// Whether it is the print's error rather than a message.
        var isError: Bool
        /// The time of the first report without it; nil while it is reported.
        var gone: Date?

        /// Whether the printer has not reported it for `hold` seconds.
        func isOver(after hold: Double, at time: Date) -> Bool {
            gone.map { time.isAtLeast(hold, after: $0) } ?? false
        }
    }

    /// In seconds: longer than the pauses of a fault that flickers, some 10 to 30, and short enough for the next fault.
    static let hold = 60.0
    /// Longer, because a program repeats the commands that are refused.
    private static let holdOfRefusal = 3_600.0
    /// A real printer has fewer faults at a time.
    private static let limit = 128

    private var alarms: [Alarm] = []
    /// When a print was last cancelled: an error that was gone by then is over.
    var cancellation = Date.distantPast

    /// Updates the alarms with the errors of a report; returns the new alarms.
    mutating func update(_ error: PrinterFault?, _ messages: [PrinterFault], at time: Date) -> [PrinterFault] {
        expire(at: time)
        let present = (error.map { [($0, true)] } ?? []) + messages.map { ($0, false) }
        var new: [PrinterFault] = []
        for (fault, isError) in present where fault.isAlarm || fault.isRefusal {
            if let index = alarms.firstIndex(where: { $0.fault.isSame(as: fault) }) {
                alarms[index].gone = nil
            } else {
                alarms.append(Alarm(fault: fault, isError: isError))
                new.append(fault)
            }
        }
        for index in alarms.indices where !present.contains(where: { $0.0.isSame(as: alarms[index].fault) }) {
            alarms[index].gone = alarms[index].gone ?? time
        }
        if alarms.count > Self.limit { alarms.removeFirst(alarms.count - Self.limit) }
        return new
    }

    mutating func expire(at time: Date) {
        alarms.removeAll { $0.isOver(after: $0.fault.isRefusal ? Self.holdOfRefusal : Self.hold, at: time) }
    }

    /// The alarms that are not over: an error of the print, and messages.
    func held(at time: Date) -> (error: PrinterFault?, messages: [PrinterFault]) {
        let held = alarms.filter { $0.fault.isAlarm && !$0.isOver(after: Self.hold, at: time) }
        let error = held.last { $0.isError && $0.gone ?? .distantFuture > cancellation }
        return (error?.fault, held.filter { !$0.isError }.map(\.fault))
    }
}

extension Date {
    /// Whether so many seconds have passed.
    ///
    /// A clock that was set back by as many ends a wait, too, instead of prolonging it.
    func isAtLeast(_ seconds: Double, after start: Date) -> Bool { abs(timeIntervalSince(start)) >= seconds }
}

extension PrinterFault {
    /// Whether both are one alarm; a refused command has one code as an error, and another one as a message.
    fileprivate func isSame(as other: PrinterFault) -> Bool { code == other.code || isRefusal && other.isRefusal }
}
