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

    private static let clamped = [first, second].map { Step.whole($0.replacing(/"[12]{2}"/, with: #""2147483647""#)) }

    static let identities = [
        Course(
            "another print after a break: two prints, and the end of the first is not known",
            [.whole(first), .lost(15), .says(second)],
            ["print_ended another_print first", "print_started second"]
        ),
        Course(
            "another print after a break, with the largest number that a P1S knows instead of both ids",
            [clamped[0], .lost(1_500), clamped[1]],
            ["print_ended another_print first", "print_started second"]
        ),
        Course(
            "a printer that is switched on again after a break shows no print until it goes on",
            [.whole(first), .lost(100), .whole(#""gcode_state":"IDLE""#), .says(first, after: 55), .says(done)],
            ["print_finished first"]
        ),
        Course(
            "another print without a break",
            [.whole(first), .says(second), .says(done, after: 900)],
            ["print_ended another_print first", "print_started second", "print_finished second"]
        ),
        Course(
            "another print whose names come one after the other",
            [.whole(first), .lost(15)]
                + [#""task_id":"21","mc_percent":1"#, #""subtask_id":"22""#, #""subtask_name":"second""#].map {
                    .says($0)
                }
                + [.finishes],
            ["print_ended another_print first", "print_started first", "print_finished second"]
        ),
        Course(
            "a print whose ids come ten seconds after its start, with a break in between",
            [
                .whole(first), .says(done), .says(#""gcode_state":"PREPARE","subtask_name":"second""#, after: 300),
                .lost(5), .whole(second, after: 5), .says(#""mc_percent":2"#, after: 300), .finishes,
            ],
            ["print_finished first", "print_started second", "print_finished second"]
        ),
        Course(
            "the ids of a print that nobody saw, for some seconds after a break",
            [
                .whole(first), .lost(9_000),
                .whole(
                    #""gcode_state":"PREPARE","mc_percent":0,"task_id":"15","subtask_id":"16","subtask_name":"second""#
                ), .says(#""task_id":"21","subtask_id":"22""#, after: 8), .says(second, after: 300),
                .says(done, after: 300),
            ],
            ["print_ended another_print first", "print_started second", "print_finished second"]
        ),
        Course(
            "the same file again, from the local network, after a break",
            [.runs, .lost(1_000), .whole(running.replacing("40", with: "3"))],
            ["print_ended another_print box", "print_started box"]
        ),
        Course(
            "the progress of the print before is not that of the next one",
            [
                .whole(#""gcode_state":"FINISH","mc_percent":100,"subtask_name":"box""#),
                .prepares, .says(#""gcode_state":"RUNNING""#), .lost(20), .whole(running.replacing("40", with: "0")),
            ],
            ["print_started box"]
        ),
        Course(
            "a print that began before a kill, of which only changes arrive after it",
            [
                .whole(#""gcode_state":"FINISH","mc_percent":100,"subtask_name":"box""#), .prepares, .killed(60),
                .says(#""mc_percent":3"#), .says(done, after: 200),
            ],
            ["print_started box", "print_finished box"]
        ),
        Course(
            "a finished print with the names of the next one, after a short break",
            [
                .whole(first), .says(done), .lost(15), .whole(second.replacing("RUNNING", with: "FINISH")), .prepares,
                .lost(200), .whole(second), .lost(200),
                .whole(first.replacing("RUNNING", with: "FINISH").replacing("40", with: "100")), .says(first),
            ],
            ["print_finished first", "print_started second", "print_finished second", "print_started first"]
        ),
        Course(
            "two ends in a break: the end of the second shows",
            [
                .whole(first), .lost(9_000),
                .whole(second.replacing("RUNNING", with: "FINISH").replacing(":1,", with: ":100,")),
            ],
            ["print_ended another_print first", "print_finished second"]
        ),
        Course(
            "restarted in the middle: told once, also after a kill",
            [
                .whole(#""gcode_state":"IDLE","mc_percent":0"#), .says(first), .killed(30), .says(#""mc_percent":41"#),
                .restarted(200), .says(done), .killed(5), .says(#""wifi_signal":"-50dBm""#),
            ],
            ["print_started first", "print_finished first"]
        ),
    ]
}
