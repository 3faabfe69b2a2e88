import JSON
import TestSupport
import Testing

@testable import PrinterReport

@Suite("The printer's report")
struct ReportTests {
    private static let first = """
        {"print":{"gcode_state":"IDLE","mc_percent":7,"hms":[{"attr":1,"code":1}],"msg":0,
        "ams":{"ams":[{"id":"0","tray":[{"id":"0","tray_type":"PLA"}]}]}}}
        """

    private func report(after messages: String...) -> Report {
        messages.reduce(into: Report()) { _ = $0.merge(Array($1.utf8)) }
    }

    /// Messages after the first one, and what they change.
    static let changes: [(String, Report.Change)] = [
        (#"{"print":{"mc_percent":8,"msg":1}}"#, .delta),
        (#"{"print":{"mc_percent":8}}"#, .delta),
        (#"{"print":{"gcode_state":"IDLE","msg":0}}"#, .full),
        (#"{"print":{"gcode_state":"IDLE"}}"#, .full),
        (#"{"print":{"gcode_state":"IDLE","msg":"1"}}"#, .delta),
        (#"{"print":{"mc_percent":8,"result":"success"}}"#, .none),
        (#"{"print":{"mc_percent":8,"command":"gcode_line"}}"#, .none),
        (#"{"print":[1]}"#, .none),
        (#"{"system":{"command":"ledctrl","result":"success"}}"#, .none),
        (#"{"info":{"command":"get_version","module":[{"name":"ota","sw_ver":"1"}]}}"#, .version),
        (#"{"info":{"command":"get_version","module":[]}}"#, .none),
        (
            #"{"info":{"command":"get_version","module":[{"name":"ota","sw_ver":"1"}]},"print":{"mc_percent":8,"msg":1}}"#,
            .delta
        ),
        (#"{"info":{"command":"get_version"},"print":{"gcode_state":"IDLE"}}"#, .full),
        ("", .none), ("[]", .none), ("null", .none), (#""x""#, .none), (#"{"print":{"mc_percent":"#, .none),
    ]

    @Test(arguments: changes)
    func `The printer's report tells a delta, a whole report and everything else apart`(
        message: String,
        change: Report.Change
    ) {
        var report = report(after: Self.first)
        #expect(report.merge(Array(message.utf8)) == change)
        if change == .none { #expect(report == self.report(after: Self.first)) }
    }

    @Test func `The printer's report is complete once a whole report has arrived`() {
        #expect(!report(after: #"{"print":{"mc_percent":8,"msg":1}}"#).isComplete)
        #expect(report(after: Self.first).isComplete)
    }

    @Test func `A delta keeps the trays that it does not name, and a whole report replaces all trays`() {
        let delta =
            #"{"print":{"msg":1,"ams":{"ams":[{"id":0,"temp":"25","tray":[{"id":1,"tray_type":"ABS"}]},{"id":"1"}]}}}"#
        let merged = report(after: Self.first, delta).fields
        #expect(merged[at: "ams.ams.0.tray.0.tray_type"] == "PLA")
        #expect(merged[at: "ams.ams.0.tray.1.tray_type"] == "ABS")
        #expect(merged[at: "ams.ams"]?.arrayValue?.count == 2)
        let full = delta.replacing(#""msg":1"#, with: #""gcode_state":"IDLE""#)
        #expect(report(after: Self.first, full).fields[at: "ams.ams.0.tray.0.tray_type"] == nil)
        let alarms = report(after: Self.first, #"{"print":{"hms":[],"msg":1}}"#).fields["hms"]
        #expect(alarms == [], "other lists are taken whole")
    }

    /// Messages in which one value is damaged: what the job's name is after them.
    static let damaged: [(String, JSONValue)] = [
        (#"{"print":{"mc_percent":8,"subtask_name":"a\ud800b","msg":1}}"#, "a\u{FFFD}b"),
        (#"{"print":{"mc_percent":8,"subtask_name":"a\ud83d\"\ud83d\ude00","msg":1}}"#, "a\u{FFFD}\"😀"),
        (#"{"print":{"mc_percent":8,"subtask_name":"x","subtask_name":"y","msg":1}}"#, "y"),
        (#"{"print":{"mc_percent":8,"subtask_name":"ok","layer_num":1e400,"msg":1}}"#, "ok"),
        (#"{"print":{"mc_percent":8,"subtask_name":"ok","bed_temper":NaN,"msg":1}}"#, "ok"),
        (#"{"print":{"mc_percent":8,"bed_temper":-Infinity,"x":[Infinity,1],"subtask_name":"ok","msg":1}}"#, "ok"),
        ("\u{FEFF}" + #"{"print":{"mc_percent":8,"subtask_name":"ok","msg":1}}"#, "ok"),
        ("{\"print\":{\"mc_percent\":8,\"subtask_name\":\"a\nb\",\"msg\":1}}", "a b"),
        (#"{"print":{"mc_percent":8,"subtask_name":"\#(String(repeating: "\u{301}", count: 5_000))","msg":1}}"#, ""),
    ]

    @Test(arguments: damaged)
    func `The printer's report loses no more than the damaged value`(message: String, name: JSONValue) {
        let fields = report(after: Self.first, message).fields
        #expect(fields["mc_percent"] == 8)
        #expect(fields["subtask_name"] == name)
    }

    @Test func `The printer's report reads a name that is cut inside a character`() {
        var report = report(after: Self.first)
        let message = Array(#"{"print":{"msg":1,"subtask_name":"Wü"#.utf8).dropLast() + Array(#""}}"#.utf8)
        #expect(report.merge(Array(message)) == .delta)
        #expect(report.fields["subtask_name"] == "W\u{FFFD}")
    }

    /// Lists inside one another, which are one level too deep inside a report.
    private static let nested = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)

    /// Messages beyond a limit.
    static let hostile: [String] = [
        #"{"print":{"gcode_state":"RUNNING","pad":"\#(String(repeating: "x", count: 1 << 20))"}}"#,
        #"{"print":{"gcode_state":"RUNNING","deep":\#(nested)}}"#,
        #"{"print":{"gcode_state":"RUNNING","deep":\#(String(repeating: "[", count: 200_000))"#,
        #"{"print":{"gcode_state":"RUNNING","wide":[\#(String(repeating: "0,", count: 40_000))0]}}"#,
        #"{"print":{"msg":1,"hms":[\#(elements(15_000) { $0 }),\#(elements(80_000) { _ in -1 })]}}"#,
        #"{"print":{"msg":1,"ams":{"ams":[\#(units(240, trays: 60))]}}}"#,
    ]

    private static func units(_ count: Int, trays: Int) -> String {
        (0..<count).map { #"{"id":\#($0),"tray":[\#(elements(trays) { $0 })]}"# }.joined(separator: ",")
    }

    private static func elements(_ count: Int, _ id: (Int) -> Int) -> String {
        (0..<count).map { #"{"id":\#(id($0))}"# }.joined(separator: ",")
    }

    @Test(arguments: hostile.indices)
    func `A message that is too large, too deep or too wide does not change the printer's report`(index: Int) {
        var report = report(after: Self.first)
        #expect(report.merge(Array(Self.hostile[index].utf8)) == .none)
        #expect(report == self.report(after: Self.first))
    }

    @Test func `The printer's report does not grow beyond its limit by ever new names`() {
        var report = report(after: Self.first)
        let changes = (0..<40).map { round in
            let members = (0..<1_000).map { #""n\#(round)x\#($0)":0"# }.joined(separator: ",")
            return report.merge(Array(#"{"print":{"msg":1,"x":{\#(members)}}}"#.utf8))
        }
        #expect(changes.first == .delta && changes.last == Report.Change.none)
        #expect(report.merge(Array(#"{"print":{"msg":1,"mc_percent":9}}"#.utf8)) == .delta)
    }

    /// Messages that are too long in one place, and how long the value at the path is then.
    static let long: [(String, String, Int)] = [
        (#""hms":[\#(elements(1_000) { $0 })]"#, "hms", 256),
        (#""ams":{"ams":[\#(elements(1_000) { $0 })]}"#, "ams.ams", 256),
        (#""ams":{"ams":[\#(elements(5_000) { _ in -1 })]}"#, "ams.ams", 2),
        (#""subtask_name":"\#(String(repeating: "Ж", count: 100_000))""#, "subtask_name", 255),
        (#""subtask_name":"a\#(String(repeating: "\u{200D}", count: 100_000))""#, "subtask_name", 255),
        (#""subtask_name":"\#(String(repeating: "👨‍👩‍👧", count: 100))""#, "subtask_name", 255),
        (#""subtask_name":"\#(String(repeating: "x", count: 255))""#, "subtask_name", 255),
    ]

    @Test(arguments: long)
    func `The printer's report has no list and no text that is longer than printers send`(
        fields: String,
        path: String,
        count: Int
    ) {
        let value = report(after: Self.first, #"{"print":{"msg":1,\#(fields)}}"#).fields[
            at: ReportPath(stringLiteral: path)
        ]
        #expect((value?.arrayValue?.count ?? value?.stringValue?.unicodeScalars.count) == count)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `The printer's report knows its weight after each message without a walk through it`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: depth > 3 ? 0...3 : 0...6, using: &random) {
            case 0: return .null
            case 1: return .int(Int.random(in: 0...9, using: &random))
            case 2: return .string(String(repeating: "ä", count: Int.random(in: 0...300, using: &random)))
            case 3: return true
            case 4:
                let ids = (0..<Int.random(in: 0...4, using: &random)).map { _ in Int.random(in: 0...4, using: &random) }
                return .array(ids.map { ["id": .int($0), "a": value(depth + 1)] })
            default:
                let keys = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    "k\(Int.random(in: 0...4, using: &random))"
                }
                return .object(Dictionary(keys.map { ($0, value(depth + 1)) }) { $1 })
            }
        }
        var report = Report()
        for _ in 0..<50 {
            var fields: [String: JSONValue] = ["x": value(0), "ams": ["ams": value(1)]]
            if Bool.random(using: &random) { fields["gcode_state"] = "IDLE" }
            _ = report.merge(JSONValue.object(["print": .object(fields)]).jsonBytes())
            #expect(report.weight == ReportMerge.weight(of: report.fields))
        }
    }
}
