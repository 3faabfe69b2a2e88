import MQTT
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Requests and their answers` {
    @Test func `Each request gets its own answer, however many are under way`() async throws {
        try await withServer { request in
            MQTTReply("answer to " + request.text)
        } _: { client, _ in
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for index in 0..<200 {
                    group.addTask { (index, try await client.request(.init(topic: "ask", payload: "\(index)")).text) }
                }
                for try await (index, answer) in group { #expect(answer == "answer to \(index)") }
            }
        }
    }

    @Test func `The answer carries the server's properties`() async throws {
        try await withServer { _ in
            MQTTReply("{}", properties: MQTTProperties(messageExpiry: nil, contentType: "application/json"))
        } _: { client, _ in
            let answer = try await client.request(.init(topic: "ask", payload: "x"))
            #expect(answer.properties.contentType == "application/json")
        }
    }

    @Test func `A request that nobody listens to fails at once`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let start = ContinuousClock.now
        let error = await #expect(throws: MQTTError.self) {
            try await running.client.request(.init(topic: "nobody", payload: "x"))
        }
        #expect(error?.code == .noResponder)
        #expect(ContinuousClock.now - start < .seconds(5))
        await running.stop()
    }

    @Test func `A request that is not answered ends in time, and a late answer disturbs nobody`() async throws {
        try await withServer { request in
            if request.text == "slow" { try await Task.sleep(for: .milliseconds(300)) }
            return request.text == "none" ? nil : MQTTReply(request.text)
        } _: { client, _ in
            for text in ["none", "slow"] {
                let error = await #expect(throws: MQTTError.self) {
                    try await client.request(.init(topic: "ask", payload: text), timeout: .milliseconds(100))
                }
                #expect(error?.code == .timeout)
            }
            let next = try await client.request(.init(topic: "ask", payload: "next"))
            #expect(next.text == "next")
        }
    }

    @Test func `A request that is cancelled ends at once`() async throws {
        try await withServer { _ in
            nil
        } _: { client, _ in
            let request = Task { try await client.request(.init(topic: "ask", payload: "x"), timeout: .seconds(60)) }
            try await Task.sleep(for: .milliseconds(50))
            request.cancel()
            await #expect(throws: CancellationError.self) { try await request.value }
        }
    }

    @Test func `A request goes on when the connection breaks before its answer`() async throws {
        try await withServer { request in
            if request.text == "kill" { try await Task.sleep(for: .milliseconds(500)) }
            return MQTTReply(request.text)
        } _: { client, broker in
            #expect(try await client.request(.init(topic: "ask", payload: "before")).text == "before")
            await broker.stop()
            try await broker.start()
            for await event in client.events() {
                if case .connected = event { break }
            }
            try await eventually("an answer") {
                (try? await client.request(.init(topic: "ask", payload: "after"), timeout: .seconds(1)).text) == "after"
            }
        }
    }

    @Test func `What has no response topic is passed over`() async throws {
        try await withServer { request in
            MQTTReply(request.text)
        } _: { client, _ in
            try await client.publish(.init(topic: "ask", payload: "no response topic"))
            var properties = MQTTProperties()
            properties.responseTopic = "a/b"
            try await client.publish(.init(topic: "ask", payload: "no correlation", properties: properties))
            #expect(try await client.request(.init(topic: "ask", payload: "x")).text == "x")
        }
    }

    @Test func `MQTT 3 has neither`() async throws {
        let client = MQTTClient(configuration: .local(1, "one") { $0.protocolVersion = .v311 }, logger: .silent)
        let request = await #expect(throws: MQTTError.self) { try await client.request(.init(topic: "a", payload: "")) }
        #expect(request?.code == .needsMQTT5)
        let respond = await #expect(throws: MQTTError.self) { try await client.respond(to: "a") { _ in nil } }
        #expect(respond?.code == .needsMQTT5)
    }

    /// Runs `body` with a client, while another one answers on the topic "ask".
    private func withServer(
        _ handler: @escaping @Sendable (MQTTMessage) async throws -> MQTTReply?,
        _ body: @Sendable @escaping (MQTTClient, MosquittoBroker) async throws -> Void
    ) async throws {
        let broker = try await MosquittoBroker.start()
        let server = try await RunningClient.connected(to: broker.port, as: "server")
        let client = try await RunningClient.connected(to: broker.port, as: "client")
        let serving = Task { try await server.client.respond(to: "ask", handler) }
        try await eventually("the server listens") { broker.log.contains("Received SUBSCRIBE from server") }
        try await body(client.client, broker)
        serving.cancel()
        await #expect(throws: CancellationError.self) { try await serving.value }
        for running in [server, client] { await running.stop() }
    }
}
