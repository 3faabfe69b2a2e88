import MQTT
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Requests` {
    @Test func `get their own answers, however many are under way`() async throws {
        let broker = try await MosquittoBroker.start()
        let server = try await RunningClient.connected(to: broker.port, as: "server")
        let client = try await RunningClient.connected(to: broker.port, as: "client")
        let questions = try await server.client.subscribe([.init("ask")])
        let serving = Task {
            for try await question in questions {
                guard let topic = question.properties.responseTopic else { continue }
                try await server.client.publish(.init(topic: topic, payload: "answer to " + question.text))
            }
        }
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for index in 0..<50 {
                group.addTask {
                    (index, try await client.client.request(.init(topic: "ask", payload: "\(index)")).text)
                }
            }
            for try await (index, answer) in group { #expect(answer == "answer to \(index)") }
        }
        serving.cancel()
        for running in [server, client] { await running.stop() }
    }

    @Test func `fail at once if nobody subscribes to them, and in time if nobody answers`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let unheard = await #expect(throws: MQTTError.self) {
            try await running.client.request(.init(topic: "ask", payload: "x"))
        }
        #expect(unheard?.code == .noResponder)
        let silent = try await running.client.subscribe([.init("ask")])
        let unanswered = await #expect(throws: MQTTError.self) {
            try await running.client.request(.init(topic: "ask", payload: "x"), timeout: .milliseconds(100))
        }
        #expect(unanswered?.code == .timeout)
        withExtendedLifetime(silent) {}
        await running.stop()
    }

    @Test func `need MQTT 5`() async throws {
        let client = MQTTClient(configuration: .local(1, "one") { $0.protocolVersion = .v311 }, logger: .silent)
        let error = await #expect(throws: MQTTError.self) { try await client.request(.init(topic: "a", payload: "")) }
        #expect(error?.code == .needsMQTT5)
    }
}
