import Foundation
import TestSupport
import Testing

@Suite("Events", .endsAll, .timeLimit(.minutes(5)))
struct EventTests {
    /// The topics of a printer in the order of their messages, with the first event of a kind.
    private func wait(for kind: String, _ observer: Observer) async throws -> (
        before: [Observer.Message], event: JSONObject
    ) {
        var found: (before: [Observer.Message], event: JSONObject)?
        try await eventually("the event \(kind)") {
            let messages = observer.messages
            let index = messages.firstIndex {
                $0.topic == "printer2mqtt/x1/event" && JSONObject($0.payload)["event_type"] == kind
            }
            found = index.map { (Array(messages[..<$0]), JSONObject(messages[$0].payload)) }
            return found != nil
        }
        return try #require(found)
    }

    @Test func `An event follows the state that it reports, and says why`() async throws {
        let server = try await GStreamerRTSPServer(.digest, certificates: try await TestCertificates())
        let port = try #require(URL(string: server.url)?.port)
        let (broker, observer, _, bridge) = try await startBridge()
        let patch = #"{"printer_ip":"127.0.0.1","access_code":"12345678","stream_port":\#(port)}"#
        try await broker.set(patch)
        let applied = try await wait(for: "config_applied", observer)
        #expect(applied.before.contains { $0.topic == "printer2mqtt/x1/config" && $0.payload.contains("127.0.0.1") })
        #expect(applied.before.contains { $0.topic == "printer2mqtt/x1/config/result" })

        try await broker.set(#"{"probe_interval":5,"nothing":1}"#)
        let rejected = try await wait(for: "config_rejected", observer)
        #expect(rejected.event["reason"] == "invalid", "\(rejected.event.text)")
        #expect(rejected.event["message"]?.contains("probe_interval must be from 15 to 86400") == true)
        let result = rejected.before.last { $0.topic == "printer2mqtt/x1/config/result" }
        #expect(result?.payload.contains("invalid") == true)

        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        await server.stop()
        for status in ["degraded", "down"] {
            try await broker.request("printer/probe")
            try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: status)
        }
        let lost = try await wait(for: "stream_lost", observer)
        #expect(lost.event["reason"] == "tcp_refused" && lost.event["message"]?.isEmpty == false, "\(lost.event.text)")
        let state = lost.before.last { $0.topic == "printer2mqtt/x1/stream" }
        #expect(state.map { JSONObject($0.payload)["status"] } == "down")
        #expect(lost.before.last { $0.topic == "printer2mqtt/x1/stream/reason" }?.payload == "tcp_refused")
        #expect(await bridge.stop() == 0)
    }

    @Test func `An event that no client received is sent again when Home Assistant connects`() async throws {
        let broker = try await MosquittoBroker.start()
        let answers = try await Observer(broker, topic: "printer2mqtt/x1/config/result")
        let bridge = try Program(debugging: broker.port).start()
        try await broker.set(#"{"name":"Lab"}"#, retain: true)
        try await eventually("it is applied") { !answers.messages.isEmpty }
        let observer = try await Observer(broker, topic: "printer2mqtt/x1/event")
        try await broker.publish("online", to: "homeassistant/status")
        _ = try await wait(for: "config_applied", observer)
        #expect(await bridge.stop() == 0)
    }
}
