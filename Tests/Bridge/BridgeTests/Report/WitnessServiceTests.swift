import JSON
import MQTT
import PrinterSamples
import PrinterSimulator
import TestSupport
import Testing

@testable import Printers

@Suite("The printer as a witness", .timeLimit(.minutes(5))) struct WitnessServiceTests {
    /// What a printer sees that is asked once.
    private static let once = {
        var counts = SimulatedReports.Counts()
        (counts.connections, counts.disconnects, counts.reports) = (1, 1, 1)
        return counts
    }()

    private func request(_ verb: String, _ bridge: ReportingBridge) async throws {
        let topic = try MQTTTopic("b/bridge/request/printer/\(verb)")
        try await bridge.observer.client.publish(MQTTMessage(topic: topic, payload: #"{"printer":"x1"}"#))
    }

    private func verdict(_ bridge: ReportingBridge) -> JSONValue? {
        bridge.value("stream", "witness")?.objectValue?["verdict"]
    }

    private func answers(_ bridge: ReportingBridge) -> [String] {
        bridge.observer.all.filter { $0.topic == "b/bridge/response/printer/witness" }.map { message in
            let answer = try? JSONValue(json: message.payload).objectValue
            return answer?["error"]?.objectValue?["code"]?.stringValue ?? answer?["status"]?.stringValue ?? ""
        }
    }

    @Test func `The witness is asked after the camera's second failure, and the stream shows the proof`() async throws {
        let bridge = try await ReportingBridge.run(adding: ["witness": true, "probe_enabled": true]) { bridge in
            try await eventually("the first failure") { bridge.value("stream", "reason") == "tcp_refused" }
            #expect(bridge.value("stream", "witness") == .null)
            #expect(bridge.value("stream", "hint")?.stringValue?.contains("may be off") == true)
            try await request("probe", bridge)
            try await eventually("the verdict") { verdict(bridge) == "liveview_off" }
            #expect(bridge.value("stream", "hint")?.stringValue?.contains("is off") == true)
        }
        let news = bridge.log.lines.filter { $0.hasPrefix("warning Stream") }
        #expect(news.count == 2, "\(news)")
        #expect(news.first?.contains("may be off") == true && news.last?.contains("is off: switch it on") == true)
        #expect(bridge.printer.counts == Self.once)
    }

    @Test func `A report from before the camera worked does not explain a later failure`() async throws {
        try await ReportingBridge.run(adding: ["probe_enabled": true]) { bridge in
            try await eventually("the failure") { bridge.registry["x1"]?.stream.report != nil }
            try await request("witness", bridge)
            try await eventually("the verdict") { verdict(bridge) == "liveview_off" }
            try await bridge.registry.record(.healthy, of: "x1")
            try await eventually("the camera works") { bridge.value("stream", "status") == "healthy" }
            try await request("probe", bridge)
            try await eventually("the next failure") { bridge.value("stream", "status") == "degraded" }
            try await request("witness", bridge)
            try await eventually("the answer") { answers(bridge) == ["ok", "limit"] }
            #expect(bridge.value("stream", "witness") == .null)
        }
    }

    @Test func `A report that began after a probe does not explain its failure, but that of the next probe`()
        async throws
    {
        try await ReportingBridge.run(adding: ["probe_enabled": true]) { bridge in
            try await eventually("the failure") { bridge.value("stream", "reason") == "tcp_refused" }
            try await request("probe", bridge)
            try await eventually("the second failure") { bridge.registry["x1"]?.stream.consecutiveFailures == 2 }
            try await bridge.set(["telemetry": true])
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            try await request("probe", bridge)
            try await eventually("the third failure") { bridge.registry["x1"]?.stream.consecutiveFailures == 3 }
            try await eventually("the verdict") { verdict(bridge) == "liveview_off" }
            let stream = try #require(bridge.registry["x1"]?.stream)
            #expect(try #require(stream.witness).at >= #require(stream.checkedAt))
        }
    }

    @Test func `A witness is not asked about another camera, nor does its report judge that camera`() async throws {
        try await ReportingBridge.run(adding: [
            "witness": true, "probe_enabled": true, "camera_url": "http://127.0.0.1:9/",
        ]) { bridge in
            try await eventually("the first failure") { bridge.value("stream", "reason") == "tcp_refused" }
            try await request("witness", bridge)
            try await eventually("the answer") { answers(bridge) == ["not_probed"] }
            try await request("probe", bridge)
            try await eventually("the second failure") { bridge.value("stream", "consecutive_failures") == 2 }
            #expect(bridge.printer.counts == SimulatedReports.Counts())
            try await bridge.set(["telemetry": true])
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            #expect(bridge.value("stream", "witness") == .null)
        }
    }

    @Test func `A witness is not asked while its report is followed, which says the same`() async throws {
        let bridge = try await ReportingBridge.run(adding: ["telemetry": true, "witness": true]) { bridge in
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            try await bridge.set(["probe_enabled": true])
            try await eventually("the failure") { bridge.value("stream", "reason") == "tcp_refused" }
            try await request("witness", bridge)
            try await eventually("the verdict") { verdict(bridge) == "liveview_off" }
            bridge.say(#""ipcam":{"ipcam_dev":"0"}"#)
            try await request("probe", bridge)
            try await eventually("the other verdict") { verdict(bridge) == "no_camera" }
        }
        #expect(bridge.printer.counts.connections == 1)
    }

    @Test func `A witness is not asked where there is nothing to ask`() async throws {
        let bridge = try await ReportingBridge.run { bridge in
            try await request("witness", bridge)
            try await eventually("the first answer") { answers(bridge) == ["not_probed"] }
            try await bridge.set(["serial": "", "certificate": "pinned", "probe_enabled": true])
            try await eventually("the failure") { bridge.value("stream", "reason") == "tcp_refused" }
            try await request("witness", bridge)
            try await eventually("the second answer") { answers(bridge) == ["not_probed", "not_probed"] }
            try await bridge.set(["telemetry": true])
            try await eventually("the report is missing") { bridge.value("print/link", "status") == "unconfigured" }
            try await request("witness", bridge)
            try await eventually("the third answer") { answers(bridge).count == 3 }
            #expect(answers(bridge).last == "not_probed")
        }
        #expect(bridge.printer.counts == SimulatedReports.Counts())
    }
}
