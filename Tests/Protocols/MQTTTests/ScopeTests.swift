import Foundation
import MQTT
import TestSupport
import Testing

@Suite("Scopes", .endsAll, .timeLimit(.minutes(5)))
struct ScopeTests {
    private struct Stop: Error {}

    private let broker: MosquittoBroker

    init() async throws { broker = try await MosquittoBroker.start() }

    @Test func `What the body throws comes through, and the connection ends all the same`() async throws {
        await #expect(throws: Stop.self) {
            try await MQTTClient.withConnection(.local(broker.port, "one")) { _ in throw Stop() }
        }
        try await eventually("DISCONNECT") { broker.log.contains("Received DISCONNECT from one") }
    }

    @Test func `A subscription lasts as long as its body`() async throws {
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let text = try await running.client.withSubscription([.init("a")]) { messages in
            try await running.client.publish(.init(topic: "a", payload: "x"))
            return try await messages.take().first?.text
        }
        #expect(text == "x")
        try await eventually("given back") { broker.log.contains("Received UNSUBSCRIBE from one") }
    }

    @Test func `Code that prefers the client's thread works there`() async throws {
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let count = try await withTaskExecutorPreference(running.client.executor) {
            let thread = pthread_self()
            let messages = try await running.client.subscribe([.init("a")])
            var count = 0
            for index in 0..<100 { try await running.client.publish(.init(topic: "a", payload: "\(index)")) }
            for try await message in messages {
                #expect(pthread_self() == thread)
                #expect(message.text == "\(count)")
                count += 1
                if count == 100 { break }
            }
            return count
        }
        #expect(count == 100)
    }
}
