import CameraProtocols
import JSON
import PrinterSamples
import Printers
import Secrets
import StoredSettings
import Testing

@testable import Bridge

@Suite("Settings that are tested before they are saved")
struct TestTargetTests {
    @Test func `A patch is tested with the stored settings and access code, even with probing off`() throws {
        let stored = PrinterSettings.Snapshot.configured(["probe_enabled": false])
        let patch: [String: JSONValue] = ["printer_ip": "192.0.2.8", "access_code": "********"]
        let target = try BridgeAccess.target(of: patch, over: stored).get()
        #expect(target.url.host == "192.0.2.8" && target.url.password?.reveal() == "12345678")
    }

    @Test func `Each missing or wrong setting is named by its path`() {
        func paths(_ patch: [String: JSONValue]) -> [String] {
            if case .failure(let faults) = BridgeAccess.target(of: patch, over: PrinterSettings.Snapshot()) {
                faults.faults.map(\.path)
            } else {
                []
            }
        }
        #expect(paths([:]) == ["printer_ip"])
        #expect(paths(["printer_ip": "192.0.2.7"]) == ["access_code"])
        #expect(paths(["model": "other"]) == ["camera_url"])
        #expect(paths(["camera_url": "http://192.0.2.9/video"]) == [])
        #expect(paths(["printer_ip": "a b", "stream_port": 0]) == ["printer_ip", "stream_port"])
    }
}
