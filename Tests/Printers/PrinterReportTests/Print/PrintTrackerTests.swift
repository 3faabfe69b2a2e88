import Foundation
import Testing

@testable import PrinterReport

@Suite("An event of a print")
struct PrintTrackerTests {
    private static func message(_ attribute: Int, _ number: Int) -> String {
        #""hms":[{"attr":\#(attribute),"code":\#(number)}]"#
    }

    private static let serious = message(0x0700_2100, 0x0002_0001)
    private static let code = "0700_2100_0002_0001"
    static let running =
        #""gcode_state":"RUNNING","mc_percent":40,"print_error":0,"hms":[],"subtask_name":"box""#
    private static let resumed = #""gcode_state":"RUNNING","print_error":0"#
    static let first =
        #""gcode_state":"RUNNING","mc_percent":40,"task_id":"11","subtask_id":"12","subtask_name":"first""#
    static let done = #""gcode_state":"FINISH","mc_percent":100"#
    static let second =
        #""gcode_state":"RUNNING","mc_percent":1,"task_id":"21","subtask_id":"22","subtask_name":"second""#

    static let alarms = [
        Course(
            "a message that flickers is one alarm, and again after it was gone for a minute",
            [.runs] + (0..<4).flatMap { _ in [.says(serious, after: 3), .says(#""hms":[]"#, after: 3.25)] }
                + [.says(serious, after: 59), .says(#""hms":[]"#), .says(serious, after: 60.5)],
            ["printer_error \(code)", "printer_error \(code)"]
        ),
        Course(
            "an error that flickers is one alarm",
            [.runs] + (0..<4).flatMap { _ in [.error(117473297, after: 3), .error(0)] },
            ["printer_error 0700_8011"]
        ),
        Course(
            "two messages are two alarms",
            [
                .runs, .says(serious),
                .says(#""hms":[{"attr":117448960,"code":131073},{"attr":50332416,"code":65537}]"#),
            ],
            ["printer_error \(code)", "printer_error 0300_0300_0001_0001"]
        ),
        Course(
            "an alarm that was there before a break and a restart is not told again",
            [
                .runs, .says(serious), .lost(900), .whole(running + "," + serious), .killed(20),
                .says(#""mc_percent":41"#), .restarted(100), .says(#""hms":[]"#), .says(serious),
            ],
            ["printer_error \(code)"]
        ),
        Course(
            "an alarm that is gone is over, although the clock was set back by an hour",
            [.runs, .says(serious), .says(#""hms":[]"#), .silent(-3_600), .says(serious)],
            ["printer_error \(code)", "printer_error \(code)"]
        ),
        Course("an alarm of the first report is not told", [.whole(running + "," + serious), .says(serious)], []),
        Course(
            "a pause that a person or the print's file asked for is no alarm, and has its reason on all models",
            [
                .runs, .says(#""gcode_state":"PAUSE","stg_cur":0,"print_error":50364417"#), .says(resumed, after: 600),
                .says(#""gcode_state":"PAUSE","print_error":50364435"#, after: 600), .says(resumed, after: 600),
                .says(#""gcode_state":"PAUSE","print_error":50364437"#, after: 600),
            ],
            [
                "print_paused paused_by_user", "print_paused paused_by_gcode", "print_paused 0300_8015",
                "printer_error 0300_8015",
            ]
        ),
        Course(
            "a refused command of another program is one notice, however often it is repeated",
            [.runs]
                + (0..<5).flatMap { _ in
                    [.says(message(0x0500_0500, 0x0001_0007), after: 90), .error(84033543)]
                        + [.says(#""hms":[],"print_error":0"#)]
                },
            ["command_refused 0500_0500_0001_0007"]
        ),
    ]

    static let ends = [
        Course(
            "failed, but not by an error that was over when the clock was set back by an hour",
            [
                .runs, .error(117473297), .error(0), .silent(-3_600), .says(#""mc_percent":41"#), .fails(), .silent(10),
            ],
            ["printer_error 0700_8011", "print_failed"]
        ),
        Course(
            "failed, although the clock was set back by an hour",
            [.runs, .fails(), .silent(-3_600)],
            ["print_failed"]
        ),
        Course("cancelled: 0500_400E", [.runs, .error(83902478), .fails()], ["print_cancelled"]),
        Course(
            "cancelled, with the echo of its code",
            [
                .runs, .says(#""print_error":50348044,"# + message(0x0C00_0300, 0x0003_001B)), .fails(), .error(0),
                .silent(120), .says(#""mc_percent":0"#),
            ],
            ["print_cancelled"]
        ),
        Course(
            "cancelled, by the code as a message",
            [.runs, .says(message(0x0300_0100, 0x0001_400C)), .fails()],
            ["print_cancelled"]
        ),
        Course(
            "cancelled, by a code that comes seconds after the end",
            [
                .runs, .says(#""gcode_state":"FAILED","mc_percent":0"#), .says(#""wifi_signal":"-50dBm""#),
                .error(50348044, after: 6),
            ],
            ["print_cancelled"]
        ),
        Course(
            "cancelled, by a code after the end, while an error is reported with which it ran on",
            [
                .runs, .error(83935248), .says(#""mc_percent":41"#, after: 60), .fails(), .error(50348044, after: 7),
                .silent(60),
            ],
            ["printer_error 0500_C010", "print_cancelled"]
        ),
        Course(
            "cancelled, by a code that comes when the printer is idle already",
            [
                .runs, .says(#""gcode_state":"IDLE","mc_percent":0"#), .error(50348044, after: 6), .error(0),
                .silent(60),
            ],
            ["print_cancelled"]
        ),
        Course(
            "cancelled while it was paused by an error",
            [
                .runs, .says(#""gcode_state":"PAUSE","stg_cur":6,"print_error":117473297"#),
                .error(50348044, after: 600), .error(0), .fails(),
            ],
            ["print_paused filament_ran_out 0700_8011", "printer_error 0700_8011", "print_cancelled"]
        ),
        Course(
            "cancelled soon after a pause by an error, which the printer still reports when it goes on",
            [
                .runs, .says(#""gcode_state":"PAUSE","print_error":117473297"#),
                .says(#""gcode_state":"RUNNING""#, after: 30), .error(0), .fails(after: 15), .error(50348044, after: 5),
            ],
            ["print_paused 0700_8011", "printer_error 0700_8011", "print_cancelled"]
        ),
        Course(
            "a code that nothing shows is the cause of no pause and of no end",
            [
                .runs, .says(#""gcode_state":"PAUSE","print_error":83918896"#), .says(resumed), .error(83918896),
                .fails(after: 20), .error(50348044, after: 5), .prepares, .says(resumed),
                .says(#""gcode_state":"FAILED","fail_reason":"83918896""#), .silent(10),
            ],
            ["print_paused", "print_cancelled", "print_started", "print_failed"]
        ),
        Course(
            "failed, after a wait for a code that does not come, once",
            [.runs, .fails(), .silent(9.5), .silent(0.5), .silent(60)],
            ["print_failed"]
        ),
        Course(
            "failed by an error whose code is gone before",
            [.runs, .error(50364419), .error(0), .fails()],
            ["printer_error 0300_8003", "print_failed 0300_8003"]
        ),
        Course(
            "cancelled because of an error, with the code after the end",
            [
                .runs, .says(#""gcode_state":"PAUSE","stg_cur":6,"print_error":117473297"#), .fails(after: 600),
                .error(50348044, after: 4), .silent(60),
            ],
            ["print_paused filament_ran_out 0700_8011", "printer_error 0700_8011", "print_cancelled"]
        ),
        Course(
            "failed, and not by an error after which it ran on",
            [.runs, .error(50364419), .error(0), .says(#""mc_percent":41"#, after: 60), .fails(), .silent(10)],
            ["printer_error 0300_8003", "print_failed"]
        ),
        Course(
            "a cancelled print, then one that fails while the code is still there",
            [
                .runs, .says(#""print_error":50348044,"gcode_state":"FAILED""#), .prepares,
                .says(#""gcode_state":"RUNNING","mc_percent":3"#, after: 90), .fails(after: 90), .silent(10),
            ],
            ["print_cancelled", "print_started", "print_failed"]
        ),
        Course(
            "preparing, then finished at 0 % with an error: no success",
            [
                .whole(#""gcode_state":"IDLE","mc_percent":0"#), .prepares,
                .says(#""gcode_state":"FINISH","print_error":83902467"#),
            ],
            ["print_started", "print_failed 0500_4003", "printer_error 0500_4003"]
        ),
        Course(
            "running at 0 %, then finished with an error that is there already: no success",
            [
                .whole(#""gcode_state":"IDLE","mc_percent":100"#), .says(#""gcode_state":"RUNNING""#), .error(83902467),
                .finishes,
            ],
            ["print_started", "printer_error 0500_4003", "print_failed 0500_4003"]
        ),
        Course(
            "preparing, then finished at 0 %: neither success nor failure",
            [.whole(#""gcode_state":"PREPARE","mc_percent":0"#), .finishes],
            ["print_ended incomplete"]
        ),
        Course(
            "97 %, no connection for 150 seconds, then no print: no failure is claimed",
            [
                .whole(#""gcode_state":"RUNNING","mc_percent":97,"mc_remaining_time":1"#), .lost(150),
                .says(#""gcode_state":"IDLE","mc_percent":0"#), .silent(60),
            ],
            ["print_ended no_print"]
        ),
        Course(
            "97 %, no connection, and what happened shows only in the whole report",
            [
                .whole(#""gcode_state":"RUNNING","mc_percent":97"#), .lost(150), .says(#""wifi_signal":"-50dBm""#),
                .whole(#""gcode_state":"IDLE","mc_percent":0"#, after: 140), .silent(59), .says(#""mc_percent":0"#),
            ],
            ["print_ended no_print"]
        ),
        Course(
            "off and on in a break, with a whole report that shows nothing yet; then a print that is seen to fail",
            [
                .runs, .lost(3_000), .versions, .whole(#""gcode_state":"","mc_percent":100"#),
                .says(#""gcode_state":"IDLE""#), .silent(10), .prepares, .fails(after: 90), .silent(10),
            ],
            ["print_ended no_print", "print_started", "print_failed"]
        ),
        Course(
            "off and on in a break, and failed",
            [
                .runs, .lost(3_000), .versions, .whole(#""gcode_state":"""#), .fails(), .silent(10),
                .says(#""wifi_signal":"-50dBm""#),
            ],
            ["print_ended failed_or_cancelled"]
        ),
        Course(
            "no connection, then finished",
            [.runs, .lost(2_000), .whole(#""gcode_state":"FINISH","mc_percent":100,"subtask_name":"box""#)],
            ["print_finished"]
        ),
        Course(
            "no connection, then failed, and no longer why",
            [.runs, .lost(200), .whole(#""gcode_state":"FAILED","mc_percent":0,"subtask_name":"box""#)],
            ["print_ended failed_or_cancelled"]
        ),
        Course(
            "no connection, then failed, and the printer keeps the reason",
            [.runs, .lost(200), .whole(#""gcode_state":"FAILED","fail_reason":"50348044""#)],
            ["print_cancelled"]
        ),
        Course(
            "cancelled in a break, of which the next report shows no more than the end",
            [
                .runs, .lost(20), .versions, .fails(), .silent(60),
                .whole(#""gcode_state":"FAILED","mc_percent":0"#, after: 200),
            ],
            ["print_ended failed_or_cancelled"]
        ),
        Course(
            "failed after a break, and after the first report that follows it",
            [.runs, .lost(20), .says(#""wifi_signal":"-50dBm""#), .fails(), .silent(10)],
            ["print_failed"]
        ),
        Course(
            "failed, and the connection breaks before the code",
            [
                .runs, .fails(), .lost(30), .says(#""wifi_signal":"-50dBm""#),
                .whole(#""gcode_state":"FAILED","mc_percent":0"#, after: 200),
            ],
            ["print_ended failed_or_cancelled"]
        ),
        Course(
            "a calibration is no print",
            [
                .whole(#""gcode_state":"IDLE","print_type":"""#),
                .says(#""gcode_state":"RUNNING","print_type":"system""#), .finishes, .says(#""print_type":"idle""#),
            ],
            []
        ),
        Course(
            "a calibration whose kind comes late has no end",
            [
                .whole(#""gcode_state":"IDLE","print_type":"""#), .says(#""gcode_state":"RUNNING""#),
                .says(#""print_type":"system""#), .finishes, .says(#""print_type":"idle""#),
            ],
            ["print_started"]
        ),
    ]

    @Test(arguments: alarms + ends + powers)
    func `An event of a print is published once, when it is known`(course: Course) throws {
        #expect(try Self.observe(course.steps).map(\.line) == course.events)
    }

    @Test func `A cancelled print has no error, but a later error stays until it has been gone for a minute`() throws {
        var errors: [String?] = []
        let pause = Step.says(#""gcode_state":"PAUSE","print_error":117473297"#)
        let cancelled = [.runs, pause, .fails(after: 30), .error(50348044, after: 4)]
        let flicker = [Step.error(117473286, after: 20), .error(0), .error(117473286), .error(0), .silent(60)]
        _ = try Self.observe(cancelled + flicker) { errors.append($0.state?.error?.code) }
        #expect(errors == [nil, "0700_8011", "0700_8011", nil] + Array(repeating: "0700_8006", count: 4) + [nil])
        _ = try Self.observe(cancelled + [.prepares]) { errors.append($0.state?.error?.code) }
        #expect(errors.last == .some(nil), "nor has the next print its error")
    }

    @Test(arguments: identities)
    func `An event of a print names the print that it happened to`(course: Course) throws {
        let lines = try Self.observe(course.steps).map { "\($0.line) \($0.job ?? "?")" }
        #expect(lines == course.events)
    }

    @Test func `A flickering alarm is not shown as over, and an unknown severity is shown as such`() throws {
        var shown: [[PrinterFault.Severity?]] = []
        let steps: [Step] = [
            .whole(Self.running), .says(Self.serious), .says(#""hms":[]"#, after: 9),
            .says(Self.message(0x0500_0600, 0x0002_0070), after: 9), .says(#""hms":[]"#, after: 51),
        ]
        _ = try Self.observe(steps) { shown.append($0.state?.faults.map(\.severity) ?? []) }
        #expect(shown == [[], [.serious], [.serious], [.unknown, .serious], []])
    }

    @Test func `Each print has its own start, and keeps it over breaks and restarts`() throws {
        var starts: [Double?] = []
        let begin = PrintObserver(on: nil).time
        let steps: [Step] = [
            .whole(#""gcode_state":"IDLE""#, after: 0), .says(Self.first, after: 100), .killed(100),
            .says(#""mc_percent":41"#, after: 0), .lost(900), .whole(Self.first, after: 0), .restarted(100),
            .says(Self.second, after: 0), .says(#""gcode_state":"FINISH""#, after: 100),
        ]
        _ = try Self.observe(steps) { observer in
            starts.append(observer.tracker.times.start.map { $0.timeIntervalSince(begin) })
        }
        #expect(starts == [nil, 100, 100, 100, 100, 100, 100, 1_200, 1_200])
    }

    @Test func `An event of a print has no time for a start that nobody can know within minutes`() throws {
        var times: PrintTracker.Times?
        let events = try Self.observe([.whole(Self.first), .lost(20_000), .whole(Self.second)]) {
            times = $0.tracker.times
        }
        #expect(events.map(\.kind) == [.printEnded, .printStarted])
        #expect(times?.start == nil && times?.end == nil && times?.isOver == false)
    }
}
