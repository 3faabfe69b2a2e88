import CameraProtocols
import JSON
import Printers
import StoredSettings
import Testing

@testable import Bridge
@testable import PrinterReport
@testable import WebInterface

@Suite("A printer's card")
struct PrinterCardTests {
    private func document(_ telemetry: ReportState?) -> [String: JSONValue] {
        var printer = Printer.sample()
        printer.report = telemetry
        return PrinterCard(printer: printer).document.objectValue ?? [:]
    }

    @Test(arguments: [
        ("Set printer_ip, serial and access_code:", "Set 'Address', 'Serial number' and 'Access code':"),
        ("Compare it with the serial number.", "Compare it with the serial number."),
        ("Check model, or set certificate to pinned.", "Check 'Model', or set 'Certificate trust' to pinned."),
        ("Accept the certificate of this model.", "Accept the certificate of this model."),
        ("Check serial and stream.printer_ca.", "Check 'Serial number' and stream.printer_ca."),
        (
            "Set serial and run 'sudo printer2mqtt authorities get'. Or wait.",
            "Set 'Serial number' and press 'Get the vendor's authorities'. Or wait."
        ),
        ("Or set x1 printer_ip=192.0.2.7.", "Or set x1 printer_ip=192.0.2.7."),
    ])
    func `A hint uses labels and buttons of the page, but keeps plain words and bridge settings`(
        of settings: String,
        onPage: String
    ) { #expect(PageHint.text(settings) == onPage) }

    @Test func `The hints of a card have no name of a setting, whatever failed`() {
        let names = PrinterSettings.schema.descriptors.map(\.name).filter { $0.contains("_") }
        for reason in ProbeReason.allCases {
            for cause in [nil] + ProbeCause.allCases.map(Optional.some) {
                let failure = ProbeFailure(reason: reason, stage: .tls, message: "it failed", cause: cause)
                let printer = Printer.probed(ProbeReport(depth: .rtsp, outcome: .failed(failure)))
                let stream = PrinterCard(printer: printer).document.objectValue?["stream"]?.objectValue
                let hint = stream?["hint"]?.stringValue ?? ""
                #expect(!hint.isEmpty && !names.contains(where: hint.contains), "\(hint)")
            }
        }
    }

    @Test(
        arguments: [
            (.port(9_554), "192.0.2.5", "rtsp://192.0.2.5:9554/x1"),
            (.port(9_554), "2001:db8::5", "rtsp://[2001:db8::5]:9554/x1"),
            (.address("rtsp://nas:9554/"), "192.0.2.5", "rtsp://nas:9554/x1"), (nil, "192.0.2.5", nil),
        ] as [(ViewerAddresses.Relay?, String, String?)]
    )
    func `A relay on every address is named by the browser's host, unless its name is known`(
        relay: ViewerAddresses.Relay?,
        host: String,
        expected: String?
    ) {
        var printer = Printer.sample()
        printer.commit(["model": "x1c"])
        let viewers = ViewerAddresses(relay: relay).seen(at: host)
        let stream = PrinterCard(printer: printer, viewers: viewers).document.objectValue?["stream"]?.objectValue
        #expect(stream?["viewer_url"] == expected.map(JSONValue.string) ?? .null)
    }

    @Test func `A printer's card has the print and its connection as over MQTT, while the report is followed`() throws {
        let before = document(nil)
        #expect(before["print"] == .null && before["print_link"] == .null)
        var report = Report()
        _ = report.merge(Array(#"{"print":{"msg":0,"gcode_state":"RUNNING","mc_percent":42}}"#.utf8))
        var telemetry = ReportState(.connecting, at: .noon)
        telemetry.apply(.init(phase: .connecting, state: PrintState(report, on: .p)), on: .p, at: .noon)
        let card = document(telemetry)
        #expect(card["print"]?.objectValue?["state"] == "running" && card["print"]?.objectValue?["progress"] == 42)
        #expect(card["print"]?.objectValue?["nozzle_temperature"] == .null)
        #expect(card["print_link"]?.objectValue?["status"] == "connecting")
    }
}
