import MQTT
import MetricsTestKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Figures of a client` {
    @Test func `Connections, publishes, messages and bytes are counted, and durations measured`() async throws {
        var options = MosquittoBroker.Options()
        options.acl = "topic readwrite open/#\n"
        let broker = try await MosquittoBroker.start(options)
        let figures = TestMetrics()
        let running = try await RunningClient.connected(to: broker.port, as: "one") {
            $0.metrics = MQTTMetrics(factory: figures, dimensions: [("client", "one")])
        }
        let subscription = try await running.client.subscribe([.init("open/#")], buffer: .newest(2))
        for _ in 0..<5 { try await running.client.publish(.init(topic: "open/a", payload: "x")) }
        await #expect(throws: MQTTError.self) {
            try await running.client.publish(.init(topic: "closed", payload: "x"))
        }
        try await eventually("all have arrived") { subscription.dropped == 3 }
        await broker.stop()
        _ = try await running.event("a failed attempt") { event in
            if case .connectFailed = event { true } else { nil }
        }
        await #expect(throws: MQTTError.self) {
            try await running.client.publish(.init(topic: "open/a", payload: "x"))
        }
        await running.stop()

        func total(_ name: String, _ outcome: String? = nil) -> Int64 {
            let dimensions = [("client", "one")] + (outcome.map { [("outcome", $0)] } ?? [])
            return figures.counterTotal(label: "mqtt_\(name)_total", dimensions: dimensions)
        }
        #expect(total("connects", "accepted") == 1)
        #expect(total("connects", "failed") > 0)
        #expect(total("disconnects") == 1)
        #expect(total("publishes", "acknowledged") == 5)
        #expect(total("publishes", "refused") == 1)
        #expect(total("publishes", "failed") == 1)
        #expect(total("messages_received") == 5)
        #expect(total("messages_dropped") == 3)
        #expect(total("bytes_sent") > 5 * 12)
        #expect(total("bytes_received") > 5 * 12)
        let times = try figures.expectTimer("mqtt_publish_duration", [("client", "one")]).values
        #expect(times.count == 5)
        #expect(times.allSatisfy { $0 > 0 && $0 < 20_000_000_000 })
        #expect(try figures.expectTimer("mqtt_connect_duration", [("client", "one")]).values.count == 1)
    }
}
