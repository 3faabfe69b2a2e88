import Foundation
import Testing

@testable import PrinterReport

@Suite("Generated prints")
struct GeneratedPrintTests {
    private static let outcomes: Set<PrintEvent.Kind> = [.printFinished, .printFailed, .printCancelled, .printEnded]

    struct Case: Sendable, CustomTestStringConvertible {
        var family: PrinterFamily
        var form: GeneratedPrinter.Form
        var seed: Int
        var testDescription: String { "\(family), \(form)" }
    }

    static let cases = PrinterFamily.allCases.flatMap { family in
        GeneratedPrinter.Form.allCases.map { (family, $0) }
    }
    .enumerated().map { Case(family: $1.0, form: $1.1, seed: 1_000 * $0) }

    /// 30 cases with 17 printers of 20 prints are 10,200 prints.
    @Test("Generated prints have no wrong outcome, and none twice, over breaks and restarts", arguments: cases)
    func outcomes(of it: Case) throws {
        for seed in it.seed..<it.seed + 17 {
            let printer = GeneratedPrinter(it.family, it.form, prints: 20, seed: UInt64(seed))
            let faults = try Self.faults(printer)
            #expect(faults == [], "seed \(seed)")
            if !faults.isEmpty { return }
        }
    }

    /// An event, with its time and the start of the print, both in seconds since the printer was switched on.
    private struct Told {
        var event: PrintEvent
        var time: Double
        var start: Double?
    }

    private static func faults(_ printer: GeneratedPrinter) throws -> [String] {
        let truth = GeneratedTruth(printer)
        let told = try observe(printer)
        var faults: [String] = []
        for (index, print) in printer.prints.enumerated() {
            let ends = told.filter { outcomes.contains($0.event.kind) && $0.event.job == print.job }
            let allowed = truth.outcomes(of: print)
            if ends.count > 1 || ends.isEmpty && truth.mustBeTold(print) {
                faults.append("\(print): told \(ends.count) times")
            }
            faults += ends.filter { !allowed.contains($0.event.kind) }.map { "\(print): \($0.event.line)" }
            let next = printer.prints.indices.contains(index + 1) ? printer.prints[index + 1].start : .infinity
            let starts = told.filter { $0.event.kind == .printStarted && (print.start..<next).contains($0.time) }
            if starts.count > 1 || starts.isEmpty && truth.mustStart(print) {
                faults.append("\(print): started \(starts.count) times")
            }
            let isReplaced = ends.contains { end in begins(at: end.time, in: told) }
            if truth.mustStart(print), !isReplaced, let end = ends.first, end.event.kind != .printEnded,
                truth.remembers(from: print.start, to: end.time),
                end.start.map({ abs($0 - print.start) > 0.1 }) ?? true
            {
                faults.append("\(print): start is \(end.start.map { "\($0)" } ?? "unknown")")
            }
        }
        let jobs = Set(printer.prints.map(\.job))
        let strays = told.filter { outcomes.contains($0.event.kind) && !($0.event.job.map(jobs.contains) ?? false) }
        faults += strays.map { "\($0.event.line) at \($0.time) of no print" }
        return faults + alarmFaults(printer, truth, told)
    }

    /// Whether another print begins as soon as one has ended.
    private static func begins(at time: Double, in told: [Told]) -> Bool {
        told.contains { $0.event.kind == .printStarted && $0.time == time }
    }

    private static func alarmFaults(_ printer: GeneratedPrinter, _ truth: GeneratedTruth, _ told: [Told]) -> [String] {
        let alarms = told.filter { $0.event.kind == .printerError }.compactMap { $0.event.fault?.code }
        let wrong = printer.faults.compactMap { code, times in
            let count = alarms.count { $0 == code }
            return count > 1 || count == 0 && truth.mustBeTold(fault: times)
                ? "\(code) at \(times): told \(count) times" : nil
        }
        let known = Set(printer.faults.keys).union(["0700_8011", "0300_8003", "0500_4003"])
        return wrong + alarms.filter { !known.contains($0) }.map { "\($0) is no alarm" }
    }

    /// The events while the messages of a printer arrive.
    private static func observe(_ printer: GeneratedPrinter) throws -> [Told] {
        var observer = PrintObserver(on: printer.family)
        let begin = observer.time
        var told: [Told] = []
        func note(_ events: [PrintEvent], at time: Double) {
            let start = observer.tracker.times.start.map { $0.timeIntervalSince(begin) }
            told += events.map { Told(event: $0, time: time, start: start) }
        }
        for (time, delivery) in printer.deliveries() {
            let pause = time - observer.time.timeIntervalSince(begin)
            note(observer.wait(pause), at: time)
            switch delivery {
            case .message(let message, _): note(observer.see(message, after: 0), at: time)
            case .lost(let seconds): observer.lose(for: seconds)
            case .restarted(let seconds, let isKilled): try observer.restart(after: seconds, isKilled: isKilled)
            }
        }
        return told
    }
}
