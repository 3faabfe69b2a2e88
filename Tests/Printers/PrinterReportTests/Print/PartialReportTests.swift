import JSON
import Testing

@testable import PrinterReport

/// Messages of a printer, and members of the state that is known after the last one.
struct PartialReport {
    var family: PrinterFamily
    var messages: [String]
    var expected: [String: JSONValue]

    init(_ family: PrinterFamily, _ messages: [String], _ expected: [String: JSONValue] = [:]) {
        (self.family, self.messages, self.expected) = (family, messages, expected)
    }

    var state: PrintState {
        let whole = #""gcode_state":"IDLE","msg":0"#
        let report = messages.enumerated().reduce(into: Report()) { report, message in
            let kind = message.offset == 0 ? whole : #""msg":1"#
            _ = report.merge(Array(#"{"print":{\#(kind),\#(message.element)}}"#.utf8))
        }
        return PrintState(report, on: family)
    }
}

@Suite("A part of a report")
struct PartialReportTests {
    private static func ht(_ tray: String, bits: String) -> String {
        #""ams":{"tray_exist_bits":"\#(bits)","ams":[{"id":"128","info":"2004","tray":[\#(tray)]}]}"#
    }

    private static func lite(_ tray: String, bits: String) -> String {
        #""ams":{"tray_exist_bits":"\#(bits)","ams":[{"id":"16","info":"1005","tray":[\#(tray)]}]}"#
    }

    private static let loaded = ht(#"{"id":"0","tray_type":"PA-CF","remain":60,"state":11}"#, bits: "10000")
    private static let fourTrays = #"""
        "ams":{"tray_exist_bits":"7","power_on_flag":true,"ams":[{"id":"0","tray":[
        {"id":"0","tray_type":"PLA","state":11},{"id":"1","tray_type":"ABS","state":3},{"id":"2","tray_type":"TPU"},
        {"id":"3","state":0}]}]}
        """#
    private static let parts = #"{"id":16,"state":10},{"id":32,"state":0},{"id":48,"state":70}"#

    private static func fans(_ parts: String) -> String {
        #""cooling_fan_speed":"2","big_fan2_speed":"11","device":{"airduct":{"parts":[\#(parts)]}}"#
    }

    private static let card = #""home_flag":256,"sdcard":true"#
    private static let ended = #""mc_percent":41,"layer_num":9,"mc_remaining_time":759"#
    private static let slowCard = #""print_error":83935249"#
    private static let twoFans = fans(#"{"id":16,"state":10},{"id":32,"state":20}"#)

    private static let spool = #"{"id":"0","tray_type":"PLA","tag_uid":"0A3B4C5D00000100","remain":42}"#

    static let spools: KeyValuePairs<String, PartialReport> = [
        "A loaded AMS HT reports state 9, then its number alone": .init(
            .n,
            [loaded, ht(#"{"id":"0","state":9}"#, bits: "10000"), ht(#"{"id":"0"}"#, bits: "10000")],
            ["ams.128.trays.0.type": "PA-CF", "ams.128.trays.0.remain": 60, "ams.128.trays.0.empty": false]
        ),
        "A loaded AMS HT reports state 9 without the bits": .init(
            .n,
            [loaded, #""ams":{"ams":[{"id":"128","tray":[{"id":"0","state":9}]}]}"#],
            ["ams.128.trays.0.type": "PA-CF", "ams.128.trays.0.empty": false]
        ),
        "The bit of an AMS HT goes": .init(
            .n,
            [loaded, ht(#"{"id":"0","state":9}"#, bits: "0")],
            ["ams.128.trays.0.type": .null, "ams.128.trays.0.empty": true]
        ),
        "The spool of an AMS HT is changed for one that is not known": .init(
            .n,
            [loaded, #""ams":{"tray_exist_bits":"0"}"#, ht(#"{"id":"0","state":9}"#, bits: "10000")],
            ["ams.128.trays.0.type": .null, "ams.128.trays.0.empty": false]
        ),
        "A printer that is switched off reports no spool": .init(
            .n,
            [fourTrays, #""ams":{"tray_exist_bits":"0","power_on_flag":false,"tray_now":"0"}"#],
            [
                "active_tray": .null,
                "ams.0.trays.0.type": "PLA", "ams.0.trays.0.empty": false, "ams.0.trays.1.type": "ABS",
                "ams.0.trays.1.empty": false, "ams.0.trays.2.type": "TPU", "ams.0.trays.2.empty": false,
                "ams.0.trays.3.empty": true,
            ]
        ),
        "The last spool is taken out": .init(
            .n,
            [fourTrays, #""ams":{"tray_exist_bits":"0"}"#],
            ["ams.0.trays.0.type": .null, "ams.0.trays.0.empty": true, "ams.0.trays.2.empty": true]
        ),
        "A spool is taken out of an idle X1, which has the flag, too, after an empty list of units": .init(
            .x,
            [
                fourTrays, #""ams":{"ams":[]}"#,
                #""ams":{"tray_exist_bits":"6","power_on_flag":false,"ams":[{"id":"0","tray":[{"id":0},{"id":1}]}]}"#,
            ],
            ["ams.0.trays.0.empty": true, "ams.0.trays.0.type": .null, "ams.0.trays.1.type": "ABS"]
        ),
        "The bits of an A2L's AMS Lite are those of a unit 6": .init(
            .l,
            [lite(#"{"id":"0"},{"id":"1","tray_type":"PLA"},{"id":"2","tray_type":"PETG"}"#, bits: "6000000")],
            [
                "ams.16.type": "ams_lite", "ams.16.trays.0.empty": true, "ams.16.trays.1.empty": false,
                "ams.16.trays.1.type": "PLA", "ams.16.trays.2.empty": false,
            ]
        ),
        "The bit of an A2L's tray goes, and its filament is still named": .init(
            .l,
            [
                lite(#"{"id":"1","tray_type":"PLA"}"#, bits: "6000000"),
                lite(#"{"id":"1","tray_type":"PLA"}"#, bits: "4000000"),
            ],
            ["ams.16.trays.1.empty": true, "ams.16.trays.1.type": .null]
        ),
        "A Filament Track Switch leads an AMS to both nozzles": .init(
            .n,
            [
                #""aux":"22800004","device":{"extruder":{"state":2,"info":[{"id":0,"snow":1},{"id":1,"snow":65279}]}}"#,
                #""ams":{"ams":[{"id":"0","info":"1000E03","tray":[{"id":"1","tray_type":"PLA"}]}]}"#,
            ],
            ["ams.0.type": "ams_2_pro", "active_tray.type": "PLA"]
        ),
        "An AMS Lite measures nothing, whatever it reports": .init(
            .a,
            [
                #""ams":{"ams":[{"id":"0","info":"1002","humidity":"5","tray":[\#(spool)]}]}"#,
                #""ams":{"ams":[{"id":"1","info":"1003","humidity":"5","tray":[\#(spool)]}]}"#,
                #""ams":{"ams":[{"id":"2","humidity":"5","tray":[\#(spool)]}]}"#,
            ],
            [
                "ams.2.humidity_index": .null, "ams.2.trays.0.remain": .null,
                "ams.0.type": "ams_lite", "ams.0.humidity_index": .null, "ams.0.trays.0.remain": .null,
                "ams.1.humidity_index": 5, "ams.1.trays.0.remain": 42,
            ]
        ),
        "A spool with a tag is measured, whatever its owner's setting": .init(
            .x,
            [
                #""home_flag":263,"ams":{"ams":[{"id":"0","info":"1001","tray":[\#(spool)]}]}"#,
                #""ams":{"ams":[{"id":"0","tray":[{"id":"0","tag_uid":"0000000000000000"}]}]}"#,
            ],
            ["ams.0.type": "ams", "ams.0.trays.0.remain": 42]
        ),
        "Only of a spool with a tag a printer knows what remains": .init(
            .x,
            [
                #""vt_tray":{"id":"254","tray_type":"TPU","tag_uid":"0000000000000000","remain":0}"#,
                #""ams":{"ams":[{"id":"0","tray":[{"id":"0","tag_uid":"0000000000000000","remain":100}]}]}"#,
            ],
            ["external_spools.254.remain": .null, "ams.0.trays.0.remain": .null]
        ),
        "An empty list of spools beside the spool": .init(
            .n,
            [
                #""vir_slot":[],"vt_tray":{"id":"254","tray_type":"TPU"}"#,
                #""ams":{"tray_exist_bits":"0","power_on_flag":false,"tray_now":"254"}"#,
            ],
            ["external_spools.254.type": "TPU", "active_tray.type": "TPU"]
        ),
    ]

    static let equipment: KeyValuePairs<String, PartialReport> = [
        "Fans of an H2S": .init(.n, [fans(parts)], ["part_fan": 10, "auxiliary_fan": 0, "chamber_fan": 70]),
        "Fans of an A2L": .init(.l, [fans(#"{"id":16,"state":90}"#)], ["part_fan": 90]),
        "A P2S without the fan of a kit":
            .init(.n, [twoFans], ["part_fan": 10, "auxiliary_fan": 20, "chamber_fan": .null]),
        "A P2S to which the kit is added": .init(
            .n,
            [twoFans, fans(#"{"id":48,"state":2571}"#)],
            ["part_fan": 10, "auxiliary_fan": 20, "chamber_fan": 11]
        ),
        "Fans without an air duct": .init(.x, [fans("")], ["part_fan": 20, "chamber_fan": 80]),
        "A P1 whose SD card is slow": .init(.p, [slowCard], ["error.code": "0500_C011", "error.severity": .null]),
        "An A1 that reports so and shows it nowhere": .init(.a, [slowCard], ["error.severity": "unknown"]),
        "A message of an H2D that shows no card": .init(.n, [card, #""home_flag":0"#], ["sd_card": "normal"]),
        "A card that is taken out": .init(.p, [card, #""home_flag":0,"sdcard":false"#], ["sd_card": "none"]),
        "A print that failed": .init(.p, [ended, #""gcode_state":"FAILED""#], ["remaining_minutes": .null]),
        "A printer that slices": .init(.p, [ended, #""gcode_state":"SLICING""#], ["progress": .null, "layer": .null]),
        "A printer on a cable":
            .init(.n, [#""home_flag":262144,"net":{"conf":17},"wifi_signal":"-90dBm""#], ["wifi_signal": .null]),
        "A printer on the Wi-Fi whose sound is on":
            .init(.n, [#""home_flag":262144,"net":{"conf":16},"wifi_signal":"-66dBm""#], ["wifi_signal": -66]),
    ]

    @Test(arguments: [spools, equipment].flatMap { $0.map { ($0, $1) } })
    func `A part of a report changes only what it has: all other values stay`(_: String, _ report: PartialReport) {
        let json = report.state.json
        for (path, expected) in report.expected {
            let found = json[at: ReportPath(stringLiteral: path)] ?? "missing"
            #expect(found == expected, "\(path)")
        }
    }

    /// The answer of an X1 to the question for its version, and its door.
    static let doors: [(String, JSONValue)] = [
        (#""sw_ver":"01.06.05.01","hw_ver":"AP05""#, .null), (#""sw_ver":"01.07.00.00","hw_ver":"AP05""#, true),
        (#""sw_ver":"01.10.00.00","hw_ver":"AP05""#, true), (#""sw_ver":"99.00.01.00","hw_ver":"AP05""#, true),
        (#""sw_ver":"01.01.01.00","hw_ver":"AP02""#, .null), (#""sw_ver":"01.01.02.00","hw_ver":"AP02""#, true),
        (#""sw_ver":7"#, true),
    ]

    @Test(arguments: doors)
    func `A part of a report of an X1 has a door if its firmware reports one`(module: String, door: JSONValue) {
        var report = Report()
        _ = report.merge(Array(#"{"print":{"gcode_state":"IDLE","home_flag":8388608}}"#.utf8))
        let version = #"{"info":{"command":"get_version","module":[{"name":"ota",\#(module)}]}}"#
        #expect(report.merge(Array(version.utf8)) == .version)
        #expect(PrintState(report, on: .x).json["door_open"] == door)
    }
}

@Suite("A report with more parts than any printer has")
struct ImpossibleReportTests {
    private static func elements(_ count: Int, _ more: String = "") -> String {
        (0..<count).map { #"{"id":"\#($0)"\#(more)}"# }.joined(separator: ",")
    }

    /// 240 AMS units with six trays each, and as many spools and nozzles.
    private static let crowd = PartialReport(
        .n,
        [
            #""ams":{"ams":[\#(elements(240, #","tray":[\#(elements(6))]"#))]}"#,
            #""vir_slot":[\#(elements(256))],"device":{"extruder":{"info":[\#(elements(240, #","temp":40"#))]}}"#,
        ]
    ).state

    @Test func `A report with too many parts yields only possible AMS units, trays, spools and nozzles`() {
        let state = Self.crowd
        #expect(state.units.map(\.id) == [0, 1, 2, 3, 16] + Array(128...135))
        #expect(state.units.map(\.trays.count) == Array(repeating: 4, count: 5) + Array(repeating: 1, count: 8))
        #expect(state.spools.map(\.id) == [254, 255])
        #expect(state.nozzles.keys.sorted() == ["left", "right"])
    }

    @Test(arguments: [Int.max, Int.min, 136, 255])
    func `A report with too many parts has no tray of a unit whose number no printer has`(id: Int) {
        let unit = #""ams":{"tray_exist_bits":"FFFFFFFFFFFFFFFF","ams":[{"id":\#(id),"tray":[{"id":"0","state":9}]}]}"#
        #expect(PartialReport(.n, [unit, unit]).state.units.isEmpty)
    }

    @Test func `A report with too many parts has each AMS unit, tray and spool once`() {
        let unit = #"{"id":"0","tray":[{"id":"1","tray_type":"PLA"},{"id":1,"tray_type":"ABS"}]}"#
        let fields = #""vir_slot":[{"id":"255"},{"id":255}],"ams":{"ams":[\#(unit),\#(unit)]}"#
        let state = PartialReport(.n, [fields]).state
        #expect(state.units.map(\.trays.count) == [1] && state.units.first?.trays.first?.values["type"] == "PLA")
        #expect(state.spools.map(\.id) == [255])
    }
}
