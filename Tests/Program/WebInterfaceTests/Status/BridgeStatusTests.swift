import CameraProtocols
import Foundation
import Printers
import StoredSettings
import Testing

@testable import Bridge
@testable import PrinterReport
@testable import WebInterface

@Suite("Metrics, health and the report")
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

    @Test func `A report holds settings and reasons, and neither access code, name nor serial number`() {
        let failure = ProbeFailure(
            reason: .tlsUntrusted,
            stage: .tls,
            message: "the certificate is that of 00M00A000000001",
            cause: .otherName
        )
        var printer = Printer.sample()
        printer.commit(["serial": "00M00A000000001", "name": "Kitchen of Ada"])
        printer = .probed(ProbeReport(depth: .rtsp, outcome: .failed(failure)), printer)
        // A stranger's short serial numbers, which are parts of all words.
        let others = "serial".map { letter in
            var other = Printer.sample(PrinterID("p\(letter)") ?? "p")
            other.commit(["serial": .string("\(letter)")])
            return other
        }
        let text = BugReport(
            overview: .sample(of: [printer] + others, isConnected: false),
            configurations: [printer.id: configDocument(of: printer, epoch: "e")],
            findings: [["verdict": "failure", "subject": "printer x1", "message": "Not 00M00A000000001."]]
        ).text
        #expect(text.contains("printer2mqtt 1.2") && text.contains("broker: not connected"))
        #expect(text.contains("tls_untrusted") && text.contains(#"printer_ip="192.0.2.7""#))
        #expect(text.contains("(serial)"))
        #expect(text.contains("doctor: failure printer x1 Not (serial)."))
        for secret in ["12345678", "Ada", "00M00A000000001"] { #expect(!text.contains(secret), "\(text)") }
    }
}
