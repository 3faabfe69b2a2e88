import MQTT
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Messages that cannot be sent yet` {
    @Test func `wait for the broker where that is wanted, in their order`() async throws {
        let broker = try MosquittoBroker()
        let running = RunningClient(
            .local(broker.port, "one") {
                $0.whenOffline = .wait
            }
        )
        let client = running.client
        _ = try await running.failure()
        let publishes = (0..<50).map { index in
            Task { try await client.publish(.init(topic: MQTTTopic("a/\(index)"), payload: "\(index)", retain: true)) }
        }
        try await broker.start()
        for publish in publishes { #expect(try await !publish.value.reason.isError) }
        let subscription = try await client.subscribe([.init("a/+")])
        #expect(try await Set(subscription.take(50).map(\.text)) == Set((0..<50).map { "\($0)" }))

        await broker.stop()
        try await running.disconnected()
        let late = Task { try await client.publish(.init(topic: "b", payload: "late")) }
        try await broker.start()
        #expect(try await !late.value.reason.isError)
        await running.stop()
    }

    @Test func `fail at the end`() async throws {
        let port = try freePort()
        let running = RunningClient(.local(port, "one") { $0.whenOffline = .wait })
        let client = running.client
        _ = try await running.failure()
        let publish = Task { try await client.publish(.init(topic: "a", payload: "x")) }
        await running.stop()
        let error = await #expect(throws: MQTTError.self) { try await publish.value }
        #expect(error?.code == .shutDown)
    }
}
