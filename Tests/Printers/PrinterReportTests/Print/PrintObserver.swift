import Foundation

@testable import PrinterReport

/// Follows the messages of a printer as ``ReportReader`` does, at times that a test chooses.
struct PrintObserver {
    private static let lifetime = PrinterRequest.reportInterval / .seconds(1)

    let family: PrinterFamily?
    private(set) var report = Report()
    private(set) var tracker = PrintTracker()
    private(set) var time = Date(timeIntervalSince1970: 1_000_000)
    private var kept: KeptReport?
    private var keptAt = Date.distantPast

    init(on family: PrinterFamily?) { self.family = family }

    var state: PrintState? { tracker.state }

    /// A message, some seconds after the one before.
    @discardableResult
    mutating func see(_ message: [UInt8], after seconds: Double = 2) -> [PrintEvent] {
        var events = wait(seconds)
        let change = report.merge(message)
        guard change != .none, report.isComplete else { return events }
        events += tracker.follow(report, change, on: family, at: time)
        if !events.isEmpty || time.timeIntervalSince(keptAt) > 60 { keep() }
        return events
    }

    @discardableResult
    mutating func see(_ message: String, after seconds: Double = 2) -> [PrintEvent] {
        see(Array(message.utf8), after: seconds)
    }

    /// Time passes while the printer is silent.
    mutating func wait(_ seconds: Double) -> [PrintEvent] {
        let first = min(seconds, 10)
        var events = tracker.settle(at: time + first)
        time += seconds
        if seconds > first { events += tracker.settle(at: time) }
        if !events.isEmpty { keep() }
        return events
    }

    /// The connection to a printer that sends all the time breaks for some seconds; too old a report is forgotten.
    mutating func lose(for seconds: Double) {
        time += seconds
        if seconds >= Self.lifetime { report = Report() }
        tracker.loseSight()
    }

    /// The bridge is started again, some seconds after it has ended in good order or was killed.
    mutating func restart(after seconds: Double, isKilled: Bool = false) throws {
        if !isKilled { keep() }
        time += seconds
        (report, tracker) = (Report(), PrintTracker())
        guard let kept, seconds < Self.lifetime else { return }
        // As the ledger keeps it.
        let memory = try kept.prints.map {
            try JSONDecoder().decode(PrintTracker.Memory.self, from: JSONEncoder().encode($0))
        }
        report = kept.report
        tracker = PrintTracker(report, memory, on: family, at: keptAt)
    }

    private mutating func keep() {
        (kept, keptAt) = (KeptReport(report, tracker.memory, age: .zero), time)
    }
}
