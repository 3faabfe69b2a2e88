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
        let printer = Printer.sample("x1", values)
        let policy = SnapshotPolicy(hasDecoder: hasDecoder, usesGo2RTC: usesGo2RTC)
        #expect(policy.source(for: printer) == expected)
        #expect(policy.probingInterval(printer) == (expected == .camera ? 60 : nil))
        #expect(policy.interval(printer, from: .go2rtc) == (expected == .go2rtc ? 60 : nil))
    }

    @Test("By default no picture is taken unasked")
    func never() {
        #expect(SnapshotPolicy().probingInterval(.sample()) == nil)
    }
}
