import Foundation
import Printers
import StoredSettings
import Testing

@testable import Bridge
@testable import PrinterReport
@testable import WebInterface

@Suite("Metrics and health")
struct BridgeStatusTests {
    private func state(isConnected: Bool = true) -> BridgeOverview {
        .sample(of: [.probed(.healthy), .sample("new", [:])], isConnected: isConnected)
    }

    @Test(arguments: [(true, 200, "connected"), (false, 503, "disconnected")])
    func `Health fails without a broker`(isConnected: Bool, status: Int, broker: String) {
        let state = state(isConnected: isConnected)
        #expect(state.statusCode == status)
        let body = state.status.json()
        #expect(body.contains(#""broker":"\#(broker)""#) && body.contains(#""uptime":12"#), "\(body)")
    }

    @Test func `Metrics are as they were judged right, and hold no access code`() throws {
        let text = Metrics(state()).text
        let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Golden/metrics.txt")
        #expect(text == (try String(contentsOf: golden, encoding: .utf8)))
        #expect(!text.contains("12345678"))
    }

    /// The numbers of one nozzle and of two.
    private static let reports = [
        (
            #""mc_percent":7,"nozzle_temper":219.94,"wifi_signal":"-45dBm""#,
            [
                #"print_connected{printer="new"} 1"#, #"print_progress_percent{printer="new"} 7"#,
                #"print_nozzle_temperature_celsius{printer="new"} 219.9"#, #"print_wifi_signal_dbm{printer="new"} -45"#,
            ]
        ),
        (
            #""device":{"extruder":{"state":2,"info":[{"id":0,"temp":100},{"id":1,"temp":60}]}}"#,
            [
                #"print_nozzle_temperature_celsius{printer="new",nozzle="left"} 60"#,
                #"print_nozzle_temperature_celsius{printer="new",nozzle="right"} 100"#,
            ]
        ),
    ]

    @Test(arguments: reports)
    func `Each number that a printer reports is a gauge with its unit`(fields: String, expected: [String]) {
        var report = Report()
        _ = report.merge(Array(#"{"print":{"gcode_state":"RUNNING",\#(fields)}}"#.utf8))
        let phase = ReaderState.Phase.live(.init(since: .now, heard: .now, isCurrent: true))
        var printer = Printer.sample("new", [:])
        printer.report = ReportState(.connecting, at: .noon)
        printer.report?.apply(.init(phase: phase, state: PrintState(report, on: nil)), on: nil, at: .noon)
        var scene = state()
        scene.printers = [printer]
        let lines = Metrics(scene).text.split(separator: "\n").filter { $0.hasPrefix("printer2mqtt_print_") }
        for line in expected { #expect(lines.contains("printer2mqtt_\(line)"), "\(lines)") }
        printer.report = ReportState(.connecting, at: .noon)
        scene.printers = [printer]
        let body = Metrics(scene).text
        #expect(body.contains(#"printer2mqtt_print_connected{printer="new"} 0"#) && !body.contains("print_progress"))
    }
}
