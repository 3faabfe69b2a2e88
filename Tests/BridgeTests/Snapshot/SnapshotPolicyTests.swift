import Pictures
import RTSP
import StoredSettings
import Testing

@testable import Bridge

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
        var values: [String: SettingValue] = .configured
        values["model"] = .string(model)
        values["snapshot_interval"] = 60
        var printer = Printer.sample("x1", values)
        _ = printer.stream.take(.healthy, at: .noon, validity: .seconds(60))
        let policy = SnapshotPolicy(hasDecoder: hasDecoder, usesGo2RTC: usesGo2RTC)
        #expect(policy.source(for: printer) == expected)
        #expect(policy.probingInterval(printer) == (expected == .camera ? 60 : nil))
        #expect(policy.interval(printer, from: .go2rtc) == (expected == .go2rtc ? 60 : nil))
    }

    @Test("go2rtc gets the access code of a camera that a probe has proven, or whose certificate does not matter")
    func proven() throws {
        func isProven(_ more: [String: SettingValue], _ report: ProbeReport?, _ camera: CameraRecord? = nil) -> Bool {
            var printer = Printer.sample("x1", [String: SettingValue].configured.merging(more) { $1 })
            printer.camera = camera
            if let report { _ = printer.stream.take(report, at: .noon, validity: .seconds(60)) }
            return printer.isProvenForGo2RTC
        }
        let pinned = CameraRecord(endpoint: "192.0.2.7:322", fingerprint: "5a")
        #expect(!isProven([:], nil))
        #expect(isProven([:], .healthy))
        #expect(isProven([:], nil, pinned) && isProven([:], .failed(.tcpTimeout), pinned))
        #expect(!isProven([:], .failed(.tcpTimeout)))
        for reason in [ProbeReason.certificateChanged, .serverUnproven, .tlsUntrusted] {
            #expect(!isProven([:], .failed(reason), pinned), "\(reason)")
        }
        let named = CameraRecord(endpoint: "192.0.2.7:322", fingerprint: "5a", serial: "00M")
        #expect(isProven(["serial": "00M"], nil, named))
        #expect(!isProven(["serial": "00M", "printer_ip": "192.0.2.8"], nil, named), "nobody has looked there yet")
        #expect(isProven(["certificate": "any"], nil) && isProven(["probe_enabled": false], nil))
    }

    @Test("By default no picture is taken unasked")
    func never() {
        #expect(SnapshotPolicy().probingInterval(.sample()) == nil)
    }
}
