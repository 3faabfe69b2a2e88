import CameraProtocols
import JSON
import PrinterSamples
import Printers
import Secrets
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Cameras

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

    @Test(.timeLimit(.minutes(5)))
    func `A probe ends where the viewer of another printer has the connection to the same camera`() async throws {
        let registry = PrinterRegistry(over: InMemorySettingsStore())
        _ = await registry.change("x1", .configured, source: .cli)
        let (probe, busy) = (PrinterProbe(), ProbeAttempt.wait(CameraWait(seconds: 0.05, reason: .busy)))
        let probes = ProbeService(registry: registry, probe: { _, _, _, _ in busy }, post: { _ in }, logger: .quiet)
        let context = BridgeContext(topics: Topics(), registry: registry, logger: .quiet)
        let witness = WitnessService(context, target: { _ in nil }, ReportLedger())
        let door = CameraDoor(registry: registry, probe: probe, witness: witness, probes: probes)
        let running = Task { await probes.run() }
        defer { running.cancel() }
        let look = await door.look(CameraQuestion(about: try #require(registry["x1"]))) { _ in }
        guard case .seen(let sight) = look else { throw TestFailure("\(look)") }
        #expect(sight.report.failure?.cause == .heldHere)
    }
}
