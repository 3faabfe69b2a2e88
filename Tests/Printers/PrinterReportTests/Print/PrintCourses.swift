import Foundation
import Testing

@testable import PrinterReport

extension PrintTrackerTests {
    enum Step: Sendable {
        /// Fields that changed, some seconds after the message before.
        case says(String, after: Double = 2)
        /// The whole report.
        case whole(String, after: Double = 2)
        /// The printer's answer to `get_version`, which has no values of a print.
        case versions
        case silent(Double)
        /// The connection breaks.
        case lost(Double)
        case restarted(Double)
        case killed(Double)

        static let runs = whole(running)
        static let prepares = says(#""gcode_state":"PREPARE""#)
        static let finishes = says(#""gcode_state":"FINISH""#)
        static func fails(after seconds: Double = 2) -> Step { says(#""gcode_state":"FAILED""#, after: seconds) }
        static func error(_ number: Int, after seconds: Double = 2) -> Step {
            says(#""print_error":\#(number)"#, after: seconds)
        }
    }

    struct Course: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        let events: [String]

        init(_ title: String, _ steps: [Step], _ events: [String]) {
            (testDescription, self.steps, self.events) = (title, steps, events)
        }
    }

    static func observe(_ steps: [Step], _ body: (PrintObserver) -> Void = { _ in }) throws -> [PrintEvent] {
        var observer = PrintObserver(on: .n)
        var events: [PrintEvent] = []
        for step in steps {
            switch step {
            case .says(let fields, let seconds):
                events += observer.see(#"{"print":{"command":"push_status","msg":1,\#(fields)}}"#, after: seconds)
            case .whole(let fields, let seconds):
                events += observer.see(#"{"print":{"command":"push_status","msg":0,\#(fields)}}"#, after: seconds)
            case .versions:
                events += observer.see(#"{"info":{"command":"get_version","module":[{"name":"ota","sw_ver":"1.9"}]}}"#)
            case .silent(let seconds): events += observer.wait(seconds)
            case .lost(let seconds): observer.lose(for: seconds)
            case .restarted(let seconds): try observer.restart(after: seconds)
            case .killed(let seconds): try observer.restart(after: seconds, isKilled: true)
            }
            body(observer)
        }
        return events
    }

    /// States and progress of a printer that was started again.
    static let powers: [Course] = [
        (["RUNNING 40", "IDLE 0"], ["print_failed"]),
        (["RUNNING 40", "INIT 0", " 0", "IDLE 0", "IDLE 0"], ["print_failed"]),
        (["PAUSE 40", "IDLE 0"], ["print_failed"]),
        (["RUNNING 100", "IDLE 0"], ["print_finished"]),
        (["RUNNING 40", "INIT 0", "RUNNING 40"], []), (["RUNNING 40", "IDLE 0", "RUNNING 40"], []),
        (["RUNNING 40", "FAILED 40", "RUNNING 1"], ["print_ended failed_or_cancelled", "print_started"]),
        (["FINISH 100", "IDLE 0"], []), (["FAILED 40", "INIT 0", "IDLE 0"], []),
        (["IDLE 0", "INIT 0", "IDLE 0"], []), (["IDLE 0", "FINISH 100"], []),
    ].map { (reports: [String], events: [String]) in
        let steps = reports.map { report -> Step in
            let words = report.split(separator: " ", omittingEmptySubsequences: false)
            return .whole(#""gcode_state":"\#(words[0])","mc_percent":\#(words[1])"#)
        }
        return Course(reports.joined(separator: ", "), steps + [.silent(10)], events)
    }
}
