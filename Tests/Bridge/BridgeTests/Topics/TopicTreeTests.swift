import CameraProtocols
import Foundation
import JSON
import PrinterReport
import PrinterSamples
import Secrets
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

/// The whole topic tree in one situation; its golden file is `Golden/<name>.topics`.
private struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    var printer: Printer
    var context = RenderContext(topics: Topics(), epoch: "fedcba98fedcba98", version: "1.2.3")

    var testDescription: String { name }

    init(_ name: String, _ printer: Printer = .sample(), reports: [ProbeReport] = []) {
        self.name = name
        self.printer = printer
        context.viewerAddresses = .init(relay: .address("rtsp://192.0.2.1:9554/"), page: "http://192.0.2.1:9464/")
        for (index, report) in reports.enumerated() {
            _ = self.printer.stream.record(report, at: .noon + Double(30 * index), validity: .seconds(787.5))
        }
    }

    /// The scene with another context.
    func changing(_ change: (inout RenderContext) -> Void) -> Scene {
        var scene = self
        change(&scene.context)
        return scene
    }

    /// `topic<TAB>payload`, sorted; `!` and a time where it expires.
    var text: String {
        printer.topics(in: context).sorted { $0.key < $1.key }.map { topic, message in
            let expiry = message.validUntil.map { "\t! \($0.iso8601)" } ?? ""
            return "\(topic)\t\(message.payload)\(expiry)\n"
        }.joined()
    }
}

@Suite struct TopicTreeTests {
    private static let special = Printer.sample(
        "drucker_1",
        [
            "name": "Drücker \"A\" \\ <b>\u{1F5A8}\u{FE0F}</b> {{ 1 }}", "printer_ip": "2001:db8::7",
            "access_code": .secret("p@ss:/%#? ü"), "stream_user": "me@home", "stream_path": "/live?a=b&c=%20",
            "model": "a1_mini", "serial": "00M\"\\", "stream_port": 8_554,
        ]
    )

    private static let otherCamera = {
        var printer = Printer.sample(
            "k1",
            [
                "camera_url": "http://192.0.2.9:8080/?action=stream", "telemetry": true,
                "access_code": .secret("12345678"),
            ]
        )
        printer.report = ReportState(.unconfigured, .unsupported, at: .noon)
        return printer
    }()

    private static let scenes: [Scene] =
        [
            Scene("unconfigured", .sample("x1", [:], revision: 1, applied: nil)),
            Scene("half-configured", .sample("x1", ["printer_ip": "192.0.2.7"])),
            Scene("unknown"),
            Scene("disabled", .sample("x1", [String: JSONValue].configured.merging(["probe_enabled": false]) { $1 })),
            Scene("healthy", reports: [.healthy]),
            Scene("degraded", reports: [.healthy, .failed(.rtspTimeout)]),
            Scene("certificate-changed-with-certificate", reports: [.changedCertificate]),
            Scene("secret-withheld", reports: [.healthy]).changing { $0.publishesSecrets = false },
            Scene("without-discovery", reports: [.healthy]).changing { $0.publishesDiscovery = false },
            Scene("without-flat-topics", reports: [.healthy]).changing { $0.publishesFlatTopics = false },
            Scene("other-topics", reports: [.healthy]).changing {
                let topics = Topics(base: "farm/hall-2", discoveryPrefix: "ha")
                $0 = RenderContext(topics: topics, epoch: $0.epoch, version: $0.version)
            },
            Scene("announced-elsewhere", .announced, reports: [.failed(.tcpTimeout)]),
            Scene("jpeg", .sample("p1", [String: JSONValue].configured.merging(["model": "p1s"]) { $1 })),
            Scene("other-camera", otherCamera, reports: [.failed(.tcpRefused)]),
            Scene("special-characters", special, reports: [.healthy]),
            Scene("printing", .reporting(ReportingBridge.report)),
            Scene("printing-with-two-nozzles", .reporting(twoNozzles, model: "h2d")),
            Scene("report-lost", .reporting(ReportingBridge.report).disconnected),
            Scene("telemetry-switched-off", .reporting(ReportingBridge.report).withoutTelemetry),
        ]
        + ProbeReason.allCases.map { reason in
            Scene("down-\(reason.rawValue)", reports: [.failed(reason)]).changing { $0.publishesDiscovery = false }
        }

    @Test(arguments: scenes)
    fileprivate func `The topics of a printer are as they were judged right`(_ scene: Scene) throws {
        #expect(try Golden.differences(of: scene.text, from: "\(scene.name).topics") == [])
    }

    @Test(arguments: scenes)
    fileprivate func `No access code is anywhere but in the secret topic`(_ scene: Scene) throws {
        let code = scene.printer.committed.accessCode
        let encoded = scene.printer.committed.streamURL?.revealed()
        for (topic, message) in scene.printer.topics(in: scene.context) where !topic.hasSuffix("/secret/stream_url") {
            if !code.isEmpty { #expect(!message.payload.contains(code), "\(topic)") }
            if let encoded { #expect(!message.payload.contains(encoded), "\(topic)") }
        }
    }

    @Test func `An access code that was stored in clear is masked all the same`() {
        let printer = Printer.sample("x1", ["printer_ip": "192.0.2.7", "access_code": "hunter2"])
        #expect(!configDocument(of: printer, epoch: "e").json().contains("hunter2"))
    }

    @Test func `The schema has each member of the reported configuration and marks the read-only ones`() throws {
        let properties = try #require(configSchema().objectValue?["properties"]?.objectValue)
        let reported = try #require(configDocument(of: .sample(), epoch: "e1").objectValue)
        #expect(Set(properties.keys) == Set(reported.keys))
        let computed = properties.filter { $0.value.objectValue?["readOnly"] == true }.keys.sorted()
        #expect(computed == ["announced_ip", "announced_ip_proof", "configured", "meta", "stream_url"])
    }

    @Test func `The topics of the bridge are as they were judged right`() throws {
        var info = BridgeInfo(
            version: "1.2.3",
            startedAt: .noon,
            instanceID: "00000000-0000-4000-8000-000000000000",
            broker: "mqtts://broker.example.org:8883",
            protocolVersion: "5"
        )
        info.printers = ["a1", "x1"]
        info.warnings = WarningList([
            BridgeWarning(.storeFailed, "Full.", hint: "Free space."),
            BridgeWarning(.publishRefused, "The \"broker\" refused"),
        ])
        let context = RenderContext(topics: Topics(), epoch: "fedcba98fedcba98", version: "1.2.3")
        let text = info.topics(in: context).sorted { $0.key < $1.key }.map { "\($0)\t\($1.payload)\n" }.joined()
        #expect(try Golden.differences(of: text, from: "bridge.topics") == [])
    }
}
