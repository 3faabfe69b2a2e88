import CameraProtocols
import JSON
import Pictures
import Platform
import PrinterSamples
import Testing

@testable import Cameras
@testable import Printers

@Suite("Where pictures come from")
struct SnapshotPolicyTests {
    @Test(
        "From go2rtc where it has the stream, else from the camera if its picture can be decoded here",
        arguments: [
            ("x1c", true, false, SnapshotSource.camera), ("x1c", true, true, .go2rtc), ("x1c", false, true, .go2rtc),
            ("x1c", false, false, .none(.noDecoder)), ("p1s", true, true, .camera), ("p1s", false, false, .camera),
        ]
    )
    func source(_ model: String, hasDecoder: Bool, usesGo2RTC: Bool, _ expected: SnapshotSource) {
        var values: [String: JSONValue] = .configured
        values["model"] = .string(model)
        values["snapshot_interval"] = 60
        let printer = Printer.sample("x1", values)
        let policy = SnapshotPolicy(hasDecoder: hasDecoder, usesGo2RTC: usesGo2RTC)
        #expect(policy.source(for: printer) == expected)
        #expect(policy.interval(printer, from: .camera) == (expected == .camera ? 60 : nil))
        #expect(policy.interval(printer, from: .go2rtc) == (expected == .go2rtc ? 60 : nil))
    }

    @Test("A camera that sends JPEG over HTTP needs no decoder, and go2rtc can have it")
    func http() {
        let values: [String: JSONValue] = ["camera_url": "http://192.0.2.9/video"]
        let printer = Printer.sample("x1", values)
        #expect(SnapshotPolicy(hasDecoder: false).source(for: printer) == .camera)
        #expect(SnapshotPolicy(hasDecoder: false, usesGo2RTC: true).source(for: printer) == .go2rtc)
        let video = Printer.sample("x1", ["camera_url": "rtsp://192.0.2.9/live"])
        #expect(SnapshotPolicy(hasDecoder: false).source(for: video) == .none(.noDecoder))
    }

    @Test("A go2rtc gets no access code while a probe finds a server that is not proven to be the camera")
    func proven() {
        func isAllowed(_ report: ProbeReport) -> Bool {
            var printer = Printer.sample()
            _ = printer.stream.record(report, at: .noon, validity: .seconds(60))
            return printer.isAllowedForGo2RTC
        }
        #expect(Printer.sample().isAllowedForGo2RTC)
        #expect(isAllowed(.healthy) && isAllowed(.failed(.tcpTimeout)))
        for reason in [ProbeReason.certificateChanged, .serverUnproven, .tlsUntrusted] {
            #expect(!isAllowed(.failed(reason)), "\(reason)")
        }
    }

    @Test("By default no picture is taken unasked")
    func never() {
        #expect(SnapshotPolicy().interval(.sample(), from: .camera) == nil)
    }
}
