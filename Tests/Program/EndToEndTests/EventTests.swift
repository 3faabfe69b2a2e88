import Foundation
import TestSupport
import Testing

@Suite("Events", .timeLimit(.minutes(2)))
struct EventTests {
    /// The topics of a printer in the order of their messages, with the first event of a kind.
    private func event(_ kind: String, _ observer: Observer) -> (before: [Observer.Message], event: JSONObject)? {
        let messages = observer.messages
        let isEvent = { (message: Observer.Message) in
            message.topic == "printer2mqtt/x1/event" && JSONObject(message.payload)["event_type"] == kind
        }
        guard let index = messages.firstIndex(where: isEvent) else { return nil }
        return (Array(messages[..<index]), JSONObject(messages[index].payload))
    }

    private func wait(for kind: String, _ observer: Observer) async throws -> (
        before: [Observer.Message], event: JSONObject
    ) {
        try await eventually("the event \(kind)", timeout: .seconds(60)) { event(kind, observer) != nil }
        return try #require(event(kind, observer))
    }

    @Test func `An event follows the state that it reports, and says why`() async throws {
        let server = try await GStreamerRTSPServer(.digest, certificates: try await TestCertificates())
        let port = try #require(URL(string: server.url)?.port)
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(port: broker.port, topic: "printer2mqtt/#")
        let bridge = try BridgeProgram(broker: broker.port).run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        let patch = #"{"printer_ip":"127.0.0.1","access_code":"12345678","stream_port":\#(port)}"#
        try await publish(patch, to: "printer2mqtt/x1/config/set", port: broker.port)
        let applied = try await wait(for: "config_applied", observer)
        #expect(applied.before.contains { $0.topic == "printer2mqtt/x1/config" && $0.payload.contains("127.0.0.1") })
        #expect(applied.before.contains { $0.topic == "printer2mqtt/x1/config/result" })

        try await publish(#"{"probe_interval":5,"nothing":1}"#, to: "printer2mqtt/x1/config/set", port: broker.port)
        let rejected = try await wait(for: "config_rejected", observer)
        #expect(rejected.event["reason"] == "invalid", "\(rejected.event.text)")
        #expect(rejected.event["message"]?.contains("probe_interval must be from 15 to 86400") == true)
        #expect(
            rejected.before.contains { $0.topic == "printer2mqtt/x1/config/result" && $0.payload.contains("invalid") }
        )

        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        await server.stop()
        for status in ["degraded", "down"] {
            try await publish(#"{"printer":"x1"}"#, to: "printer2mqtt/bridge/request/printer/probe", port: broker.port)
            try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: status, timeout: .seconds(60))
        }
        let lost = try await wait(for: "stream_lost", observer)
        #expect(lost.event["reason"] == "tcp_refused" && lost.event["message"]?.isEmpty == false, "\(lost.event.text)")
        let state = lost.before.last { $0.topic == "printer2mqtt/x1/stream" }
        #expect(state.map { JSONObject($0.payload)["status"] } == "down")
        #expect(lost.before.last { $0.topic == "printer2mqtt/x1/stream/reason" }?.payload == "tcp_refused")
        #expect(await bridge.stop() == 0)
    }
}
