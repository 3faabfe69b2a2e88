import JSON
import Printers
import Testing

@testable import PrinterReport

@Suite("The state of a print")
struct PrintStateTests {
    @Test(arguments: RecordedReport.names)
    func `A print's state follows a recorded report, message by message`(name: String) throws {
        let recorded = try RecordedReport(name)
        var observer = PrintObserver(on: recorded.family)
        #expect(!recorded.steps.isEmpty)
        for (index, step) in recorded.steps.enumerated() {
            let events = observer.see(step.message, after: step.seconds)
            let json = try #require(observer.state).json
            for (path, expected) in step.expected {
                let found = json[at: ReportPath(stringLiteral: path)] ?? "missing"
                #expect(found == expected, "\(path) after message \(index)")
            }
            #expect(events.map(\.line) == step.events, "after message \(index)")
        }
    }

    @Test func `Stage 0 is named by the print's state, so a prepared or paused print is not idle`() {
        let states = ["IDLE", "FINISH", "FAILED", "INIT", "", "PREPARE", "SLICING", "RUNNING", "PAUSE"]
        let names = states.map { state in
            var report = Report()
            _ = report.merge(Array(#"{"print":{"gcode_state":"\#(state)","stg_cur":0,"msg":0}}"#.utf8))
            return PrintState(report, on: .p).stageName
        }
        #expect(names == Array(repeating: "idle", count: 5) + Array(repeating: "printing", count: 4))
    }

    /// Which family a model and a serial number belong to.
    static let families: [(PrinterModel, String, PrinterFamily?)] = [
        (.x1c, "", .x), (.p1s, "00M00A000000001", .p), (.a1Mini, "", .a), (.a2l, "", .l), (.x2d, "", .n),
        (.auto, "00M00A000000001", .x), (.auto, "01S00A000000001", .p), (.auto, "03900A000000001", .a),
        (.auto, "09400A000000001", .n), (.auto, "ZZZ", nil), (.auto, "", nil),
    ]

    @Test(arguments: families)
    func `A print's state knows the family by the model first, then by the serial number`(
        model: PrinterModel,
        serial: String,
        family: PrinterFamily?
    ) {
        #expect(PrinterFamily(model, serial: serial) == family)
    }

    @Test func `A print's state of a family that is not known has only values that all printers report`() {
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
    @Test func `Rows of values have keys of their own that fit a topic`() {
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

    @Test func `Rows that are enumerations in Home Assistant are choices, and each choice has words`() {
        for row in PrintRow.printer + PrintRow.nozzle + PrintRow.unit + PrintRow.tray {
            if case .choice(let words) = row.kind {
                #expect(row.deviceClass == "enum" && !words.isEmpty, "\(row.key)")
            } else {
                #expect(row.deviceClass != "enum", "\(row.key)")
            }
        }
    }

    /// Fields as they are packed, and the value in them.
    static let packings: [(Packing, JSONValue, JSONValue?)] = [
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

    @Test(arguments: packings)
    func `Rows of values read packed fields`(packing: Packing, field: JSONValue, value: JSONValue?) {
        #expect(packing.unpack(field) == value)
    }
}
