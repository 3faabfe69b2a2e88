import Foundation
import JSON
import Printers
import Testing

@testable import Bridge
@testable import PrinterReport
@testable import WebInterface

@Suite("A printer's card")
struct PrinterCardTests {
    private func document(_ telemetry: PrinterTelemetry?) -> [String: JSONValue] {
        var printer = Printer.sample()
        printer.telemetry = telemetry
        let card = PrinterCard(printer: printer)
        return card.document.objectValue ?? [:]
    }

    @Test("A printer's card has no print while the printer's report is not followed")
    func withoutTelemetry() {
        let card = document(nil)
        #expect(card["print"] == .null && card["print_link"] == .null)
    }

    @Test("A printer's card has the print, and how the connection for it does, as over MQTT")
    func withTelemetry() throws {
        var report = Report()
        _ = report.merge(Array(#"{"print":{"msg":0,"gcode_state":"RUNNING","mc_percent":42}}"#.utf8))
        var telemetry = PrinterTelemetry(.connecting, at: .noon)
        telemetry.apply(
            TelemetryLink.Update(phase: .connecting, state: PrintState(report, on: .p)),
            on: .p,
            at: .noon
        )
        let card = document(telemetry)
        #expect(card["print"]?.objectValue?["state"] == "running" && card["print"]?.objectValue?["progress"] == 42)
        #expect(card["print"]?.objectValue?["nozzle_temperature"] == .null)
        #expect(card["print_link"]?.objectValue?["status"] == "connecting")
    }
}
