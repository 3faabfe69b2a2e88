import Printers
import StoredSettings
import Testing

@testable import PrinterLink

@Suite("The state of a print")
struct PrintStateTests {
    @Test("follows a recorded report, message by message", arguments: RecordedReport.names)
    func followsRecordedReport(name: String) throws {
        let recorded = try RecordedReport(name)
        var report = Report()
        var state: PrintState?
        #expect(!recorded.steps.isEmpty)
        for (index, step) in recorded.steps.enumerated() {
            _ = report.merge(step.message)
            let new = PrintState(report, on: recorded.family, after: state)
            let json = new.json
            for (path, expected) in step.expected {
                let found = json[at: ReportPath(stringLiteral: path)] ?? "missing"
                #expect(found == expected, "\(path) after message \(index)")
            }
            #expect(PrintEvent.events(from: state, to: new).map(\.line) == step.events, "after message \(index)")
            state = new
        }
    }

    @Test("has no event before the first report")
    func firstReportIsNoEvent() throws {
        var report = Report()
        _ = report.merge(Array(#"{"print":{"gcode_state":"FAILED","print_error":50348038,"msg":0}}"#.utf8))
        let first = PrintState(report, on: .p)
        let second = PrintState(report, on: .p, after: first)
        #expect(PrintEvent.events(from: nil, to: first).isEmpty)
        #expect(PrintEvent.events(from: first, to: second).isEmpty)
    }

    @Test("names stage 0 by the state: a print that is prepared or paused is not idle")
    func stageZero() {
        let states = ["IDLE", "FINISH", "FAILED", "INIT", "", "PREPARE", "SLICING", "RUNNING", "PAUSE"]
        let names = states.map { state in
            var report = Report()
            _ = report.merge(Array(#"{"print":{"gcode_state":"\#(state)","stg_cur":0,"msg":0}}"#.utf8))
            return PrintState(report, on: .p).stageName
        }
        #expect(names == Array(repeating: "idle", count: 5) + Array(repeating: "printing", count: 4))
    }

    /// States and progress that a printer reports one after the other, and the events that they cause.
    static let restarts: [([String], [String])] = [
        (["RUNNING 40", "IDLE 0"], ["print_failed"]),
        (["RUNNING 40", "INIT 0", " 0", "IDLE 0", "IDLE 0"], ["print_failed"]),
        (["PAUSE 40", "IDLE 0"], ["print_failed"]),
        (["RUNNING 100", "IDLE 0"], ["print_finished"]),
        (["RUNNING 40", "INIT 0", "RUNNING 40"], []),
        (["FINISH 100", "IDLE 0"], []), (["FAILED 40", "INIT 0", "IDLE 0"], []),
        (["IDLE 0", "INIT 0", "IDLE 0"], []), (["IDLE 0", "FINISH 100"], []),
    ]

    @Test("of a printer that was started again ends its print with an event, once", arguments: restarts)
    func restart(reports: [String], expected: [String]) {
        var report = Report()
        var state: PrintState?
        var events: [String] = []
        for words in reports.map({ $0.split(separator: " ", omittingEmptySubsequences: false) }) {
            let message = #"{"print":{"msg":0,"gcode_state":"\#(words[0])","mc_percent":\#(words[1])}}"#
            _ = report.merge(Array(message.utf8))
            let new = PrintState(report, on: .p, after: state)
            events += PrintEvent.events(from: state, to: new).map(\.line)
            state = new
        }
        #expect(events == expected)
    }

    /// Which family a model and a serial number belong to.
    static let families: [(PrinterModel, String, PrinterFamily?)] = [
        (.x1c, "", .x), (.p1s, "00M00A000000001", .p), (.a1Mini, "", .a), (.a2l, "", .l), (.x2d, "", .n),
        (.auto, "00M00A000000001", .x), (.auto, "01S00A000000001", .p), (.auto, "03900A000000001", .a),
        (.auto, "09400A000000001", .n), (.auto, "ZZZ", nil), (.auto, "", nil),
    ]

    @Test("knows the family by the model first, then by the serial number", arguments: families)
    func family(model: PrinterModel, serial: String, family: PrinterFamily?) {
        #expect(PrinterFamily(model, serial: serial) == family)
    }

    @Test("of a family that is not known has only values that all printers report")
    func unknownFamily() {
        var report = Report()
        _ = report.merge(
            Array(#"{"print":{"gcode_state":"IDLE","chamber_temper":5,"home_flag":8388608,"msg":0}}"#.utf8)
        )
        let json = PrintState(report, on: nil).json
        #expect(json["state"] == "idle")
        #expect(json["chamber_temperature"] == .null)
        #expect(json["door_open"] == .null)
    }
}

@Suite("The rows of values")
struct PrintRowTests {
    @Test("have keys of their own that fit a topic")
    func keysAreUnique() {
        for rows in [PrintRow.printer + PrintRow.nozzle, PrintRow.unit, PrintRow.tray] {
            let keys = rows.map(\.key)
            #expect(Set(keys).count == keys.count)
            #expect(
                keys.allSatisfy {
                    $0.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
                }
            )
        }
    }

    @Test("that Home Assistant shows as an enumeration are choices, and choices have words")
    func enumerationsAreChoices() {
        for row in PrintRow.printer + PrintRow.nozzle + PrintRow.unit + PrintRow.tray {
            if case .choice(let words) = row.kind {
                #expect(row.deviceClass == "enum" && !words.isEmpty, "\(row.key)")
            } else {
                #expect(row.deviceClass != "enum", "\(row.key)")
            }
        }
    }

    /// Fields as they are packed, and the value in them.
    static let packings: [(Packing, SettingValue, SettingValue?)] = [
        (.bits(first: 0, count: 16), 5_242_960, 80), (.bits(first: 16, count: 16), 5_242_960, 80),
        (.bits(first: 16, count: 16), 35, 0), (.bits(first: 0, count: 16), "5242960", 80),
        (.bits(first: 0, count: 16), "hot", nil),
        (.bits(first: 23, count: 1), -1_067_070_208, 0), (.bits(first: 8, count: 2), 263, 1),
        (.bits(first: 31, count: 1), -1, 1),
        (.hexadecimalBits(first: 29, count: 1), "3A0009CFB", 1), (.hexadecimalBits(first: 8, count: 4), "2104", 1),
        (.hexadecimalBits(first: 63, count: 1), "FFFFFFFFFFFFFFFF", 1),
        (.hexadecimalBits(first: 0, count: 4), "8000000000000003", 3),
        (.hexadecimalBits(first: 0, count: 1), "0x1", nil),
        (.fanStep, "0", 0.0), (.fanStep, "4", 30.0), (.fanStep, "10", 70.0), (.fanStep, 15, 100.0),
        (.decibels, "-52dBm", "-52"), (.decibels, "-52", "-52"),
    ]

    @Test("read packed fields", arguments: packings)
    func unpacks(packing: Packing, field: SettingValue, value: SettingValue?) {
        #expect(packing.unpack(field) == value)
    }
}
