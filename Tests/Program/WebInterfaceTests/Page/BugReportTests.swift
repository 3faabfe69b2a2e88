import CameraProtocols
import Foundation
import StoredSettings
import Testing

@testable import Bridge
@testable import WebInterface

@Suite("The report")
struct BugReportTests {
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
