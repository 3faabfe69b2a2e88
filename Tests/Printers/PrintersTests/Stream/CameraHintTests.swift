import CameraProtocols
import Foundation
import JSON
import PrinterReport
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Printers

@Suite("The hint for a camera of any maker")
struct CameraHintTests {
    /// What is known of Bambu Lab printers only.
    private static let theirs = [
        "Liveview", "LAN Mode", "serial number", "P1", "A1", "X1", "Bambu", "Handy", "authorities get",
        "printer's screen",
        "access code", "printer_ip", "stream_port", "stream_path", "vendor", "set model", "6000",
    ]
    private static let urls = [
        "rtsp://cam:8554/live", "rtsps://cam/live", "http://cam:8080/video", "https://cam/video",
    ]

    private func context(_ url: String, hasWorked: Bool, _ more: [String: JSONValue] = [:]) -> HintContext {
        let values = ["camera_url": .string(url), "model": "other"].merging(more) { $1 }
        return HintContext(PrinterSettings.Snapshot(values: values), hasWorked: hasWorked)
    }

    private func report(_ reason: ProbeReason, _ cause: ProbeCause? = nil) -> ProbeReport {
        let failure = ProbeFailure(reason: reason, stage: reason.usualStage, message: "secret words", cause: cause)
        var report = ProbeReport(depth: .rtsp, outcome: .failed(failure))
        report.certificate = .sample
        return report
    }

    @Test func `A hint for each failure is short whole sentences and never mentions Bambu Lab printers`() throws {
        var lines: [String] = []
        let failures =
            ProbeReason.allCases.map { ($0, ProbeCause?.none) } + ProbeCause.allCases.map { (.tlsFailed, $0) }
        for (reason, cause) in failures {
            var seen: Set<String> = []
            for (url, hasWorked) in Self.urls.flatMap({ [($0, false), ($0, true)] }) {
                let printer = context(url, hasWorked: hasWorked)
                let hint = try #require(Hint.text(for: report(reason, cause), of: printer))
                for word in Self.theirs { #expect(!hint.contains(word), "\(word): \(hint)") }
                check(hint)
                if hint.lowercased().contains("restart") {
                    #expect(hint.contains(/If there are none, restart .* when it does not print/), "\(hint)")
                }
                guard seen.insert(hint).inserted else { continue }
                let title = url.prefix { $0 != ":" } + (hasWorked ? ", worked" : "")
                lines.append("\(cause?.rawValue ?? reason.rawValue), \(title): \(hint)")
            }
        }
        #expect(try Golden.differences(of: lines.joined(separator: "\n") + "\n", from: "camera-hints.txt") == [])
    }

    @Test(arguments: [true, false])
    func `The hint for a faulty picture or a certificate's time tells nothing of printers`(_ isOther: Bool) throws {
        let printer = isOther ? context(Self.urls[3], hasWorked: true) : HintContext()
        var state = StreamState(restingFor: PrinterSettings.Snapshot(values: [:]))
        for fault in PictureFault.allCases {
            _ = state.record(.healthy, at: Date(), validity: .seconds(60), of: printer)
            state.note(fault, at: Date())
            let hint = try #require(state.hint)
            #expect(hint.contains("restart the printer") == (!isOther && fault != .black), "\(hint)")
            for word in Self.theirs { #expect(!hint.contains(word), "\(hint)") }
        }
        for validity in CertificateReport.Validity.allCases {
            #expect(Hint.text(for: validity)?.contains("printer") != true)
        }
    }

    @Test func `The hint for pictures that are too large says so`() {
        let hint = { Hint.text(for: self.report(.noFrame, .flood), of: self.context($0, hasWorked: false)) ?? "" }
        #expect(hint("http://cam/").contains("smaller size") && !hint("rtsp://cam/").contains("smaller size"))
    }

    @Test func `A hint does not depend on the model, the serial number or what a printer says`() {
        for reason in ProbeReason.allCases {
            var printer = context(Self.urls[2], hasWorked: false, ["model": "x1c", "serial": "00M00A000000001"])
            printer.verdict = .liveviewOff
            let other = context(Self.urls[2], hasWorked: false)
            #expect(Hint.text(for: report(reason), of: printer) == Hint.text(for: report(reason), of: other))
        }
    }

    @Test(arguments: [
        ("rtsps://192.0.2.7:322/streaming/live/1", true), ("rtsp://192.0.2.7/streaming/live/1", false),
        ("http://192.0.2.7/", false), ("https://192.0.2.7/", false),
    ])
    func `A typed address is a Bambu Lab printer's only with RTSPS`(address: String, isPrinter: Bool) throws {
        #expect((HintContext(try StreamURL(parsing: address)).scheme == nil) == isPrinter)
    }
}
