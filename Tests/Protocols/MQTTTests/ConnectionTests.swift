import Foundation
import MQTT
import Platform
import TestSupport
import Testing

@Suite("Connections that fail, break and come back", .endsAll, .timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test func `A broker killed under load is found again, publishes are settled, no socket is left`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let client = running.client
        let load = Task {
            await withTaskGroup(of: (sent: Int, failed: Set<MQTTError.Code>).self) { group in
                for lane in 0..<20 {
                    group.addTask {
                        var sent = 0
                        var failed: Set<MQTTError.Code> = []
                        while !Task.isCancelled {
                            do {
                                try await client.publish(.init(topic: MQTTTopic("load/\(lane)"), payload: "x"))
                                sent += 1
                            } catch let error as MQTTError {
                                failed.insert(error.code)
                                try? await Task.sleep(for: .milliseconds(5))
                            } catch {}
                        }
                        return (sent, failed)
                    }
                }
                return await group.reduce(into: (0, Set())) { $0 = ($0.0 + $1.sent, $0.1.union($1.failed)) }
            }
        }
        for _ in 0..<5 {
            try await Task.sleep(for: .milliseconds(50))
            await broker.kill()
            try await running.disconnected()
            try await broker.start()
            try await running.session()
        }
        try await eventually("one connection") { try socketCount(toPort: broker.port) == 1 }
        load.cancel()
        let (sent, failed) = await load.value
        #expect(sent > 20)
        #expect(failed.isSubset(of: [.connectionLost, .notConnected]))
        await running.stop()
        try await eventually("all closed") { try socketCount(toPort: broker.port) == 0 }
    }

    @Test func `Without a free thread, a new client ends with an error, and a name is looked up again`() async throws {
        let broker = try await MosquittoBroker.start()
        let configuration = MQTTConfiguration.local(broker.port, "one") {
            $0.endpoint = .tcp(host: "localhost", port: broker.port)
        }
        let client = try MQTTClient(configuration: configuration, logger: .silent)
        var events = client.events().makeAsyncIterator()
        let running = try await FreeThreads.$areLeft.withValue(false) {
            let code = try await within(.seconds(20), "an error") {
                await errorCode { try await MQTTClient.withConnection(configuration) { _ in } }
            }
            #expect(code == .library)
            return RunningClient(client, Task { try await client.run() })
        }
        #expect("\(await events.next(), default: "none")".contains("cannot be looked up"))
        try await running.session()
    }

    @Test func `A subscription is made again on every connection and state is replayed`() async throws {
        let broker = try await MosquittoBroker.start { $0.persistence = true }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        try await running.client.publish(.init(topic: "s", payload: "kept", retain: true))
        let subscription = try await running.client.subscribe([.init("s")])
        #expect(try await subscription.take().map(\.text) == ["kept"])
        await broker.stop()
        try await broker.start()
        #expect(try await subscription.take().map(\.text) == ["kept"])
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func `A refusal is an event with its name and is tried again`(version: MQTTProtocolVersion) async throws {
        let broker = try await MosquittoBroker.start { $0.passwords = ["bridge": "right-canary"] }
        var configuration = MQTTConfiguration.local(broker.port, "one") { $0.protocolVersion = version }
        configuration.userName = "bridge"
        configuration.password = { "wrong-canary" }
        let running = try RunningClient(configuration)
        let reason = try await running.failure()
        #expect(reason.code == .refused)
        #expect(reason.reason == .notAuthorized)
        #expect(reason.message.contains("(135)"))
        try await eventually("a second attempt") { broker.log.components(separatedBy: "Sending CONNACK").count > 2 }
        await running.stop()
        configuration.password = { "right-canary" }
        let right = try RunningClient(configuration)
        try await right.session()
    }
}
