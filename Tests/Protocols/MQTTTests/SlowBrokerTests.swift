import Foundation
import MQTT
import Synchronization
import TestSupport
import Testing

@Suite("Messages to a broker that does not read", .endsAll, .timeLimit(.minutes(5)))
struct SlowBrokerTests {
    /// More than the systems of both sides hold.
    private static let count = 200
    private static let size = 100_000

    @Test(arguments: [MQTTQoS.atMostOnce, .atLeastOnce])
    func `Messages wait until it does, and come in order`(qos: MQTTQoS) async throws {
        let mayRead = Mutex(false)
        let came = Mutex<[UInt8]>([])
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            while !mayRead.withLock({ $0 }) { usleep(10_000) }
            for _ in 0..<Self.count {
                let packet = try peer.receive(type: 3)
                came.withLock { $0.append(packet[packet.count - 1]) }
                if qos > .atMostOnce { try peer.send(Packet.answer(4, Packet.publishIdentifier(of: packet))) }
            }
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let settled = Mutex(0)
        let publish = { @Sendable (number: Int) in
            let payload = [UInt8](repeating: UInt8(number & 0xff), count: Self.size)
            try await running.client.publish(.init(topic: "a", payload: payload, qos: qos))
            settled.withLock { $0 += 1 }
        }
        try await withThrowingDiscardingTaskGroup { group in
            // On one thread, so that they are called in this order.
            for number in 0..<Self.count {
                group.addTask(executorPreference: running.client.executor) { try await publish(number) }
            }
            try await Task.sleep(for: .milliseconds(500))
            #expect(settled.withLock { $0 } < Self.count / 2)
            mayRead.withLock { $0 = true }
        }
        try await eventually("all have come") { came.withLock { $0.count } == Self.count }
        let isInOrder = came.withLock { $0 } == (0..<Self.count).map { UInt8($0 & 0xff) }
        #expect(isInOrder)
    }

    @Test func `Messages leave no message with QoS 0 waiting for the next one`() async throws {
        // It takes 20 messages at a time.
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let messages = Array(repeating: MQTTMessage(topic: "a", payload: "x", qos: .atMostOnce), count: 200)
        // Far less than the keep-alive, which would wake the client.
        try await within(.seconds(30), "all are sent") {
            await withCheckedContinuation { waiter in
                running.client.publish(messages) { _ in waiter.resume() }
            }
        }
    }

    @Test func `Messages go out also while messages keep coming in`() async throws {
        let isOver = Mutex(false)
        let broker = try ScriptedBroker { peer, _ in
            try peer.acceptSubscription()
            let flood = (0..<50).flatMap { _ in Packet.publish([0x61], [UInt8](repeating: 0, count: 1_000)) }
            Thread.detachNewThread {
                // Under the lock, so that no answer comes in between.
                while isOver.withLock({ isOver in
                    if !isOver { try? peer.send(flood) }
                    return !isOver
                }) { usleep(50) }
            }
            let publish = try peer.receive(type: 3)
            isOver.withLock { $0 = true }
            try peer.send(Packet.answer(4, Packet.publishIdentifier(of: publish)))
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = try await running.client.subscribe([.init("a")], buffer: .newest(10))
        let large = MQTTMessage(topic: "b", payload: [UInt8](repeating: 1, count: 16_000_000))
        _ = try await within(.seconds(50), "the answer") { try await running.client.publish(large) }
        isOver.withLock { $0 = true }
        withExtendedLifetime(subscription) {}
    }
}
