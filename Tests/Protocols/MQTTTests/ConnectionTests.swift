import Foundation
import Logging
import MQTT
import Secrets
import ServiceLifecycle
import TestSupport
import Testing

@Suite("Connections that fail, break and come back", .timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test func `A client may be started before its broker`() async throws {
        let port = try freePort()
        let running = RunningClient(.local(port, "one"))
        let client = running.client
        let subscription = Task { try await client.subscribe([.init("a")]) }
        let reason = try await running.failure()
        #expect(reason.code == .unreachable)
        let early = await #expect(throws: MQTTError.self) { try await client.publish(.init(topic: "a", payload: "x")) }
        #expect(early?.code == .notConnected)
        let broker = try await MosquittoBroker.start(port: port)
        let messages = try await subscription.value
        try await client.publish(.init(topic: "a", payload: "x"))
        #expect(try await messages.take().map(\.text) == ["x"])
        await running.stop()
        _ = broker
    }

    @Test func `A broker killed under load is found again and every publish is settled`() async throws {
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
        load.cancel()
        let (sent, failed) = await load.value
        #expect(sent > 20)
        #expect(failed.isSubset(of: [.connectionLost, .notConnected]))
        await running.stop()
    }

    @Test func `A subscription is made again on every connection and state is replayed`() async throws {
        var options = MosquittoBroker.Options()
        options.persistence = true
        let broker = try await MosquittoBroker.start(options)
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        try await running.client.publish(.init(topic: "s", payload: "kept", retain: true))
        let subscription = try await running.client.subscribe([.init("s")])
        #expect(try await subscription.take().map(\.text) == ["kept"])
        await broker.stop()
        try await broker.start()
        #expect(try await subscription.take().map(\.text) == ["kept"])
        await running.stop()
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func `A refusal is an event with its name and is tried again`(version: MQTTProtocolVersion) async throws {
        var options = MosquittoBroker.Options()
        options.passwords = ["bridge": "right-canary"]
        let broker = try await MosquittoBroker.start(options)
        var configuration = MQTTConfiguration.local(broker.port, "one") { $0.protocolVersion = version }
        configuration.userName = "bridge"
        configuration.password = { "wrong-canary" }
        let running = RunningClient(configuration)
        let reason = try await running.failure()
        #expect(reason.code == .refused)
        #expect(reason.reason == .notAuthorized)
        #expect(reason.message.contains("(135)"))
        try await eventually("a second attempt") { broker.log.components(separatedBy: "Sending CONNACK").count > 2 }
        await running.stop()
        configuration.password = { "right-canary" }
        let right = RunningClient(configuration)
        try await right.session()
        await right.stop()
    }

    @Test func `A password does not print`() {
        let password: Secret<String> = "canary"
        var dumped = ""
        dump(password, to: &dumped)
        #expect(!"\(password) \(String(reflecting: password)) \(dumped)".contains("canary"))
    }

    @Test func `A name that does not exist is reported`() async throws {
        let running = RunningClient(.local(1_883, "one") { $0.endpoint = .tcp(host: "no-such.invalid", port: 1_883) })
        let reason = try await running.failure()
        #expect(reason.code == .nameNotResolved)
        #expect(reason.message.contains("no-such.invalid"))
        await running.stop()
    }

    @Test func `A broker that stops answering is given up`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "one") { $0.keepAlive = .seconds(5) }
        broker.signal(SIGSTOP)
        #expect(try await running.disconnected().code == .keepAliveTimeout)
        broker.signal(SIGCONT)
        try await running.session()
        await running.stop()
    }

    @Test func `No socket is left open, however the connections ended`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        try await eventually("one connection") { try openConnections(to: broker.port) == 1 }
        for _ in 0..<3 {
            await broker.kill()
            try await running.disconnected()
            try await broker.start()
            try await running.session()
        }
        try await eventually("one connection") { try openConnections(to: broker.port) == 1 }
        await running.stop()
        try await eventually("all closed") { try openConnections(to: broker.port) == 0 }
    }
}
