import JSON
import MQTT
import Platform
import PrinterSamples
import PrinterSimulator
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

@Suite("The printer as a witness", .timeLimit(.minutes(3))) struct WitnessServiceTests {
    private func request(_ verb: String, _ bridge: LinkedBridge) async throws {
        let topic = try MQTTTopic("b/bridge/request/printer/\(verb)")
        try await bridge.observer.client.publish(MQTTMessage(topic: topic, payload: #"{"printer":"x1"}"#))
    }

    private func answers(_ bridge: LinkedBridge) -> [String] {
        bridge.observer.all.filter { $0.topic == "b/bridge/response/printer/witness" }.map { message in
            let answer = try? JSONValue(json: message.payload).objectValue
            return answer?["error"]?.objectValue?["code"]?.stringValue ?? answer?["status"]?.stringValue ?? ""
        }
    }

    @Test func `The witness is asked after the camera's second failure, and the stream shows the proof`() async throws {
        let bridge = try await LinkedBridge()
        try await bridge.run {
            try await bridge.add(["witness": true, "probe_enabled": true])
            try await eventually("the first failure") { bridge.value("stream", "reason") == "tcp_refused" }
            #expect(bridge.value("stream", "witness") == .null)
            #expect(bridge.value("stream", "hint")?.stringValue?.contains("may be off") == true)
            try await request("probe", bridge)
            try await eventually("the verdict", timeout: .seconds(60)) {
                bridge.value("stream", "witness")?.objectValue?["verdict"] == "liveview_off"
            }
            #expect(bridge.value("stream", "hint")?.stringValue?.contains("is off") == true)
        }
        let news = bridge.log.lines.filter { $0.hasPrefix("warning Stream") }
        #expect(
            news.count == 2 && news[0].contains("may be off") && news[1].contains("is off: switch it on"),
            "\(news)"
        )
        var expected = SimulatedReports.Counts()
        (expected.connections, expected.disconnects, expected.reports) = (1, 1, 1)
        #expect(bridge.printer.counts == expected)
        await bridge.printer.stop()
    }

    @Test func `A person can ask a switched-off witness once in five minutes, even over a restart`() async throws {
        let bridge = try await LinkedBridge()
        var asked = 0
        for _ in 0..<2 {
            try await bridge.run {
                if asked == 0 { try await bridge.add(["probe_enabled": true]) }
                try await eventually("the failure") { await bridge.isProbed }
                for _ in 0..<3 {
                    try await request("witness", bridge)
                    asked += 1
                    try await eventually("the answer") { answers(bridge).count == asked }
                    try await eventually("the verdict") {
                        bridge.printer.counts.disconnects == 1 && bridge.printer.counts.open == 0
                            && bridge.value("stream", "witness")?.objectValue?["verdict"] == "liveview_off"
                    }
                }
            }
        }
        #expect(answers(bridge) == Array(repeating: "ok", count: 6))
        var expected = SimulatedReports.Counts()
        (expected.connections, expected.disconnects, expected.reports) = (1, 1, 1)
        #expect(bridge.printer.counts == expected)
        await bridge.printer.stop()
    }

    @Test func `What a printer said before its camera worked says nothing of a later failure`() async throws {
        let bridge = try await LinkedBridge()
        try await bridge.run {
            try await bridge.add(["probe_enabled": true])
            try await eventually("the failure") { await bridge.isProbed }
            try await request("witness", bridge)
            try await eventually("the verdict") {
                bridge.value("stream", "witness")?.objectValue?["verdict"] == "liveview_off"
            }
            try await bridge.probed(.healthy)
            try await eventually("the camera works") { bridge.value("stream", "status") == "healthy" }
            try await request("probe", bridge)
            try await eventually("the next failure") { bridge.value("stream", "status") == "degraded" }
            try await request("witness", bridge)
            try await eventually("the answer") { answers(bridge) == ["ok", "limit"] }
            #expect(bridge.value("stream", "witness") == .null)
        }
        await bridge.printer.stop()
    }

    @Test func `A witness is not asked about another camera, nor does its report judge that camera`() async throws {
        let bridge = try await LinkedBridge()
        try await bridge.run {
            try await bridge.add(["witness": true, "probe_enabled": true, "camera_url": "http://127.0.0.1:9/"])
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
        await bridge.printer.stop()
    }

    @Test func `A witness is not asked while its report is followed, which says the same`() async throws {
        let bridge = try await LinkedBridge()
        try await bridge.run {
            try await bridge.add(["telemetry": true, "witness": true])
            try await eventually("the report") { bridge.value("print", "state") == "running" }
            try await bridge.set(["probe_enabled": true])
            try await eventually("the failure") { bridge.value("stream", "reason") == "tcp_refused" }
            try await request("witness", bridge)
            try await eventually("the verdict") {
                bridge.value("stream", "witness")?.objectValue?["verdict"] == "liveview_off"
            }
            bridge.say(#""ipcam":{"ipcam_dev":"0"}"#)
            try await request("probe", bridge)
            try await eventually("the other verdict", timeout: .seconds(60)) {
                bridge.value("stream", "witness")?.objectValue?["verdict"] == "no_camera"
            }
        }
        #expect(bridge.printer.counts.connections == 1)
        await bridge.printer.stop()
    }

    @Test func `A witness is not asked where there is nothing to ask`() async throws {
        let bridge = try await LinkedBridge()
        try await bridge.run {
            try await bridge.add()
            try await request("witness", bridge)
            try await eventually("the first answer") { answers(bridge) == ["not_failing"] }
            try await bridge.set(["serial": "", "certificate": "pinned", "probe_enabled": true])
            try await eventually("the failure") { bridge.value("stream", "reason") == "tcp_refused" }
            try await request("witness", bridge)
            try await eventually("the second answer") { answers(bridge).last == "not_probed" }
        }
        #expect(bridge.printer.counts == SimulatedReports.Counts())
        await bridge.printer.stop()
    }
}
