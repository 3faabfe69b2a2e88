import Foundation
import MQTT
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

private func keepsSession(_ configuration: inout MQTTConfiguration) {
    configuration.cleanStart = false
    configuration.sessionExpiry = .seconds(600)
}

@Suite("Messages that their reader acknowledges", .endsAll, .timeLimit(.minutes(5)))
struct AcknowledgementTests {
    private let broker: MosquittoBroker
    private var isAcknowledged: Bool { broker.log.contains("Received PUBACK from reader") }

    init() async throws { broker = try await MosquittoBroker.start() }

    /// A subscription of the session "reader", made before its run, and somebody who sends.
    private func start(
        _ broker: MosquittoBroker,
        _ change: (inout MQTTConfiguration) -> Void = { _ in }
    ) async throws -> (reader: RunningClient, subscription: MQTTSubscription, sender: RunningClient) {
        var configuration = MQTTConfiguration.local(broker.port, "reader", keepsSession)
        change(&configuration)
        let reader = try RunningClient(configuration)
        let subscription = try await reader.client.subscribe([.init("a/+")], buffer: .acknowledgedByReader)
        let sender = try await RunningClient.connected(to: broker.port, as: "sender")
        return (reader, subscription, sender)
    }

    /// The same, and one message that the reader has taken and not acknowledged.
    private func startReading(
        _ change: (inout MQTTConfiguration) -> Void = { _ in }
    ) async throws -> (reader: RunningClient, subscription: MQTTSubscription) {
        let (reader, subscription, sender) = try await start(broker, change)
        try await sender.client.publish(.init(topic: "a/b", payload: "x"))
        #expect(try await subscription.nextBatch()?.map(\.text) == ["x"])
        return (reader, subscription)
    }

    @Test func `Messages are acknowledged once the reader asks for more`() async throws {
        let (_, subscription, sender) = try await start(broker)
        for index in 0..<3 { try await sender.client.publish(.init(topic: "a/b", payload: "\(index)")) }
        var texts: [String] = []
        while texts.count < 3 { texts += try #require(try await subscription.nextBatch()).map(\.text) }
        #expect(texts == ["0", "1", "2"])
        try await Task.sleep(for: .milliseconds(200))
        #expect(!isAcknowledged || texts.count > 1, "the last batch waits")
        let next = Task { try await subscription.nextBatch() }
        try await eventually("all are acknowledged") {
            broker.log.components(separatedBy: "Received PUBACK from reader").count == 4
        }
        next.cancel()
        _ = await next.result
    }

    @Test func `Messages are handed over together, however many were acknowledged before`() async throws {
        let (_, subscription, sender) = try await start(broker)
        // More than the library's pipe to its own loop holds, so that each later acknowledgement finds it full.
        let many = Array(repeating: MQTTMessage(topic: "a/b", payload: "x"), count: 900)
        sender.client.publish(many) { _ in }
        var count = 0
        while count < many.count { count += try #require(try await subscription.nextBatch()).count }
        for _ in 0..<50 { try await sender.client.publish(.init(topic: "a/c", payload: "y")) }
        var batches: [Int] = []
        while batches.reduce(0, +) < 50 { batches.append(try #require(try await subscription.nextBatch()).count) }
        #expect(batches.count <= 3, "\(batches)")
    }

    @Test func `Messages are never more than may be in flight, whatever the broker sends`() async throws {
        let broker = try await MosquittoBroker.start { $0.lines = ["max_inflight_messages 0"] }
        let (_, subscription, sender) = try await start(broker) { $0.protocolVersion = .v311 }
        sender.client.publish(Array(repeating: MQTTMessage(topic: "a/b", payload: "x"), count: 900)) { _ in }
        var count = 0
        while count < 900 {
            count += try #require(try await subscription.nextBatch()).count
            try await eventually("all but the last 100 are acknowledged") { [count] in
                broker.log.components(separatedBy: "Received PUBACK from reader").count > count - 100
            }
        }
    }

    @Test(arguments: [false, true])
    func `Messages come again on the next run if the reader has not handled them`(isGraceful: Bool) async throws {
        let (running, group) = try await RunningClient.inGroup(.local(broker.port, "reader", keepsSession))
        let first = try await running.client.subscribe([.init("a/+")], buffer: .acknowledgedByReader)
        let sender = try await RunningClient.connected(to: broker.port, as: "sender")
        try await sender.client.publish(.init(topic: "a/b", payload: "x"))
        #expect(try await first.nextBatch()?.map(\.text) == ["x"])
        if isGraceful { await group.triggerGracefulShutdown() } else { running.task.cancel() }
        _ = await running.task.result
        #expect(!isAcknowledged)
        let again = try RunningClient(.local(broker.port, "reader", keepsSession))
        let second = again.client.subscription(to: [.init("a/+")], buffer: .acknowledgedByReader)
        #expect(try await second.take().map(\.text) == ["x"])
        withExtendedLifetime(first) {}
    }

    @Test func `Messages wait for the reader also when the refusal of the subscription came with them`() async throws {
        let packets = Mutex<[UInt8]>([])
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept(isResumed: true)
            let refusal = Packet.suback(Packet.identifier(of: try peer.receive(type: 8)), [0x87])
            try peer.send(Packet.publish("a/b", "x", qos: 1) + refusal)
            while true {
                let type = try peer.receive()[0] >> 4
                packets.withLock { $0.append(type) }
            }
        }
        let reader = try RunningClient(.local(broker.port, "reader", keepsSession))
        let subscription = reader.client.subscription(to: [.init("a/+")], buffer: .acknowledgedByReader)
        #expect(try await subscription.nextBatch()?.map(\.text) == ["x"])
        try await Task.sleep(for: .milliseconds(300))
        let early = packets.withLock { $0 }
        #expect(early == [], "nothing is acknowledged, nor unsubscribed")
        await #expect(throws: MQTTError.self) { try await subscription.nextBatch() }
        try await eventually("it is acknowledged, then unsubscribed") { packets.withLock { $0 } == [4, 10] }
    }

    @Test func `Messages do not make a broker silent when their reader exceeds the answer timeout`() async throws {
        let (reader, subscription) = try await startReading { $0.publishTimeout = .seconds(5) }
        let publish = Task { try await reader.client.publish(.init(topic: "b", payload: "y")) }
        try await Task.sleep(for: .milliseconds(5_500))
        let next = Task { try await subscription.nextBatch() }
        #expect(try await publish.value.reason == .noMatchingSubscribers)
        next.cancel()
        _ = await next.result
    }

    @Test func `Messages end the connection when their reader takes too long, and come again`() async throws {
        let (reader, subscription) = try await startReading { $0.readerTimeout = .milliseconds(500) }
        #expect(try await reader.disconnected().code == .readerTimeout)
        #expect(try await subscription.nextBatch()?.map(\.text) == ["x"])
        #expect(!isAcknowledged)
    }

    @Test func `Messages end the run when their reader goes in the middle of its work`() async throws {
        let (reader, subscription) = try await startReading()
        subscription.cancel()
        #expect(await errorCode { try await reader.task.value } == .unhandledMessages)
        #expect(!isAcknowledged)
    }

    @Test func `Publications wait until received messages are handled, and then go out together`() async throws {
        let (reader, subscription) = try await startReading()
        let publish = Task { try await reader.client.publish(.init(topic: "state", payload: "y")) }
        try await Task.sleep(for: .milliseconds(200))
        #expect(!broker.log.contains("Received PUBLISH from reader"))
        let next = Task { try await subscription.nextBatch() }
        #expect(try await !publish.value.reason.isError)
        let log = broker.log
        let acknowledged = try #require(log.range(of: "Received PUBACK from reader"))
        let published = try #require(log.range(of: "Received PUBLISH from reader"))
        #expect(acknowledged.lowerBound < published.lowerBound)
        next.cancel()
        _ = await next.result
    }
}

@Suite("What a session holds for a client", .endsAll, .timeLimit(.minutes(5)))
struct WhatSessionHoldsTests {
    @Test func `A filter is given back if its subscription ended while there was no connection`() async throws {
        let broker = try await MosquittoBroker.start { $0.persistence = true }
        let running = try await RunningClient.connected(to: broker.port, as: "mine", keepsSession)
        let kept = try await running.client.subscribe([.init("a/#")])
        let ended = try await running.client.subscribe([.init("b")])
        await broker.stop()
        try await running.disconnected()
        ended.cancel()
        try await broker.start()
        try await running.session()
        try await eventually("UNSUBSCRIBE") { broker.log.contains("Received UNSUBSCRIBE from mine") }
        withExtendedLifetime(kept) {}
    }

    @Test func `A message of a session may not be of QoS 2, which libmosquitto cannot resume`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "mine", keepsSession)
        let message = MQTTMessage(topic: "a", payload: "x", qos: .exactlyOnce)
        #expect(await errorCode { try await running.client.publish(message) } == .qosUnavailable)
    }
}

@Suite("Connections that break at any byte", .endsAll, .timeLimit(.minutes(5)))
struct ConnectionsBreakAtTests {
    @Test func `Broken connections lose no QoS 1 message that is sent again until it is acknowledged`() async throws {
        let broker = try await MosquittoBroker.start { $0.lines = ["max_queued_messages 0"] }
        let proxy = try await TCPGate(to: [broker.port], cutting: 200...4_000)
        let receiver = try RunningClient(
            .local(proxy.ports[0], "receiver") {
                keepsSession(&$0)
                $0.reconnectLimit = .milliseconds(20)
            }
        )
        let subscription = receiver.client.subscription(to: [.init("a")], buffer: .acknowledgedByReader)
        let sender = try RunningClient(.local(proxy.ports[0], "sender") { $0.reconnectLimit = .milliseconds(20) })
        let count = 400
        let sending = Task {
            try await subscription.confirmed()
            try await concurrently(0..<10) { lane in
                for index in stride(from: lane, to: count, by: 10) {
                    while (try? await sender.client.publish(.init(topic: "a", payload: "\(index)"))) == nil {
                        try await Task.sleep(for: .milliseconds(5))
                    }
                }
            }
            try await proxy.spare()
        }
        var seen: Set<String> = []
        while seen.count < count, let batch = try await subscription.nextBatch() { seen.formUnion(batch.map(\.text)) }
        try await sending.value
        #expect(seen.count == count)
        #expect(proxy.hasCut)
    }
}
