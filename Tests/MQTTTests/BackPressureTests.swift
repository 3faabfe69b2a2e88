import Foundation
import MQTT
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A subscription that wants every message` {
    @Test func `stops the broker while its reader is slow, and misses nothing`() async throws {
        let sent = Mutex(0)
        let message = Packet.publish(Array("a".utf8), [UInt8](repeating: 1, count: 10_000))
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            try peer.send(Packet.suback(Packet.identifier(of: try peer.receive(type: 8)), [0]))
            for _ in 0..<5_000 {
                try peer.send(message)
                sent.withLock { $0 += 1 }
            }
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = try await running.client.subscribe([.init("a")], buffer: .suspend(10))
        var (last, still) = (0, 0)
        try await eventually("the broker is stopped") {
            let now = sent.withLock { $0 }
            (last, still) = (now, now > 0 && now == last ? still + 1 : 0)
            return still == 30
        }
        #expect(last < 2_000, "what fits into the system's buffers, and little more")
        var count = 0
        for try await _ in subscription {
            count += 1
            if count == 5_000 { break }
        }
        #expect(subscription.dropped == 0)
        await running.stop()
        broker.stop()
    }

    @Test func `keeps the connection alive meanwhile, and lets it go when it is cancelled`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "slow") { $0.keepAlive = .seconds(5) }
        let other = try await RunningClient.connected(to: broker.port, as: "other")
        let subscription = try await running.client.subscribe([.init("a")], buffer: .suspend(1))
        for _ in 0..<50 { try await other.client.publish(.init(topic: "a", payload: "x", qos: .atMostOnce)) }
        try await eventually("two pings", timeout: .seconds(20)) {
            broker.log.split(separator: "\n").count { $0.contains("Received PINGREQ from slow") } >= 2
        }
        #expect(!broker.log.contains("slow has exceeded timeout"))
        subscription.cancel()
        let next = try await running.client.subscribe([.init("b")])
        try await other.client.publish(.init(topic: "b", payload: "y"))
        #expect(try await next.take().first?.text == "y")
        for client in [running, other] { await client.stop() }
    }

    @Test func `does not keep the client from ending, nor from noticing that the broker has gone`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = try await running.client.subscribe([.init("a")], buffer: .suspend(1))
        for _ in 0..<50 { try await running.client.publish(.init(topic: "a", payload: "x", qos: .atMostOnce)) }
        let start = ContinuousClock.now
        await running.stop()
        #expect(ContinuousClock.now - start < .seconds(2))
        _ = subscription
    }

    @Test func `lets its reader publish and wait for the answer`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let other = try await RunningClient.connected(to: broker.port, as: "other")
        let subscription = try await running.client.subscribe([.init("a")], buffer: .suspend(2))
        let flood = Task {
            for index in 0..<300 { try await other.client.publish(.init(topic: "a", payload: "\(index)")) }
        }
        var next = 0
        for try await message in subscription {
            #expect(message.text == "\(next)")
            try await running.client.publish(.init(topic: "b", payload: message.payload))
            next += 1
            if next == 300 { break }
        }
        try await flood.value
        #expect(subscription.dropped == 0)
        for client in [running, other] { await client.stop() }
    }

    @Test(.serialized, arguments: MQTTQoS.allCases, [false, true])
    func `lets its reader publish to a broker that does not read before it has sent`(
        qos: MQTTQoS,
        isWayFull: Bool
    ) async throws {
        let count = 1_500
        let isSent = Mutex(false)
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            try peer.send(Packet.suback(Packet.identifier(of: try peer.receive(type: 8)), [0]))
            usleep(300_000)
            let message = Packet.publish([0x61], [UInt8](repeating: 1, count: 20_000))
            for _ in 0..<count { try peer.send(message) }
            isSent.withLock { $0 = true }
            try peer.takeAll()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = try await running.client.subscribe([.init("a")], buffer: .suspend(10))
        if isWayFull {
            let large = MQTTMessage(topic: "large", payload: [UInt8](repeating: 1, count: 16_000_000), qos: .atMostOnce)
            Task { try await running.client.publish(large) }
            try await Task.sleep(for: .milliseconds(100))
        }
        let reader = Task {
            for try await message in subscription {
                try await running.client.publish(.init(topic: "b", payload: message.payload, qos: qos))
            }
        }
        try await eventually("the broker has sent all") { isSent.withLock { $0 } }
        reader.cancel()
        await running.stop()
        broker.stop()
    }

    @Test func `leaves messages unacknowledged, and acknowledges them in order when there is room`() async throws {
        let acknowledged = Mutex<[UInt16]>([])
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            try peer.send(Packet.suback(Packet.identifier(of: try peer.receive(type: 8)), [1]))
            for id in 1...20 { try peer.send(Packet.publish("a", "x", qos: 1, id: UInt16(id))) }
            while true {
                let packet = try peer.receive()
                if packet[0] >> 4 == 3 { try peer.send(Packet.answer(4, Packet.publishIdentifier(of: packet))) }
                if packet[0] >> 4 == 4 { acknowledged.withLock { $0.append(Packet.identifier(of: packet)) } }
            }
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = try await running.client.subscribe([.init("a")], buffer: .suspend(20))
        try await running.client.publish(.init(topic: "b", payload: "x", qos: .atLeastOnce))
        #expect(acknowledged.withLock { $0.count } < 20)
        #expect(try await subscription.take(20).count == 20)
        try await eventually("all are acknowledged") { acknowledged.withLock { $0 } == Array(1...20) }
        await running.stop()
        broker.stop()
    }
}
