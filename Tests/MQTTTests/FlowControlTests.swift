import Foundation
import MQTT
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The number of unacknowledged messages` {
    @Test(arguments: [MQTTQoS.atLeastOnce, .exactlyOnce])
    func `is what the broker allows, also when it allows less on the next connection`(qos: MQTTQoS) async throws {
        let most = Mutex(0)
        let unmarked = Mutex(0)
        let broker = try ScriptedBroker { peer, connection in
            guard connection > 1 else {
                try peer.accept()
                for _ in 0..<10 { try peer.receive(type: 3) }
                return
            }
            // Receive Maximum 2
            try peer.accept(properties: [0x21, 0, 2], isResumed: true)
            var open: [UInt16] = []
            for _ in 0..<10 {
                while open.isEmpty || peer.hasMore() {
                    let publish = try peer.receive(type: 3)
                    if publish[0] & 8 == 0 { unmarked.withLock { $0 += 1 } }
                    open.append(Packet.publishIdentifier(of: publish))
                }
                most.withLock { $0 = max($0, open.count) }
                let id = open.removeFirst()
                if qos == .exactlyOnce {
                    try peer.send(Packet.answer(5, id))
                    try peer.receive(type: 6)
                }
                try peer.send(Packet.answer(qos == .exactlyOnce ? 7 : 4, id))
            }
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one") { $0.cleanStart = false }
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { try await running.client.publish(.init(topic: "a", payload: "x", qos: qos)) }
            }
            try await group.waitForAll()
        }
        #expect(most.withLock { $0 } == 2)
        #expect(unmarked.withLock { $0 } == 0, "every one is a repetition")
        await running.stop()
        broker.stop()
    }

    @Test func `holds up nothing that is past PUBREC, even where the broker now allows fewer`() async throws {
        let types = Mutex<[UInt8]>([])
        let broker = try ScriptedBroker { peer, connection in
            guard connection > 1 else {
                // Receive Maximum 5
                try peer.accept(properties: [0x21, 0, 5])
                for _ in 0..<5 {
                    try peer.send(Packet.answer(5, Packet.publishIdentifier(of: try peer.receive(type: 3))))
                }
                for _ in 0..<5 { try peer.receive(type: 6) }
                return
            }
            // Receive Maximum 1
            try peer.accept(properties: [0x21, 0, 1], isResumed: true)
            while true {
                let packet = try peer.receive()
                types.withLock { $0.append(packet[0] >> 4) }
                switch packet[0] >> 4 {
                case 3: try peer.send(Packet.answer(5, Packet.publishIdentifier(of: packet)))
                case 6: try peer.send(Packet.answer(7, Packet.identifier(of: packet)))
                default: return
                }
            }
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one") {
            $0.cleanStart = false
            $0.whenOffline = .wait
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { try await running.client.publish(.init(topic: "a", payload: "x", qos: .exactlyOnce)) }
            }
            try await group.waitForAll()
        }
        #expect(types.withLock { $0 } == [6, 6, 6, 6, 6, 3, 6, 3, 6, 3, 6])
        await running.stop()
        broker.stop()
    }

    /// While our answers cannot go out, neither.
    @Test func `is not agreed before MQTT 5`() async throws {
        let acknowledged = Mutex(0)
        let broker = try ScriptedBroker { peer, _ in
            try peer.receive(type: 1)
            try peer.send([0x20, 2, 0, 0])
            let id = Packet.identifier(of: try peer.receive(type: 8))
            try peer.send([0x90, 3, UInt8(id >> 8), UInt8(id & 0xff), 1])
            usleep(300_000)
            for id in 1...UInt16(3_000) {
                let payload = [UInt8](repeating: 0x78, count: 1_000)
                try peer.send(Packet.make(0x32, [0, 1, 0x61, UInt8(id >> 8), UInt8(id & 0xff)] + payload))
            }
            usleep(300_000)
            while true { if try peer.receive()[0] == 0x40 { acknowledged.withLock { $0 += 1 } } }
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one") { $0.protocolVersion = .v311 }
        let subscription = try await running.client.subscribe([.init("a")], buffer: .newest(10))
        let large = MQTTMessage(topic: "large", payload: [UInt8](repeating: 1, count: 16_000_000), qos: .atMostOnce)
        let publish = Task { try await running.client.publish(large) }
        try await eventually("all are acknowledged") { acknowledged.withLock { $0 } == 3_000 }
        #expect(broker.connections == 1)
        publish.cancel()
        withExtendedLifetime(subscription) {}
        await running.stop()
        broker.stop()
    }

    @Test func `must not be exceeded by the broker without end`() async throws {
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            try peer.send(Packet.suback(Packet.identifier(of: try peer.receive(type: 8)), [1]))
            try peer.receive(type: 3)
            // Over and over: an answer of its own is due to the client, so it reads on.
            for id in 1...UInt16.max { try peer.send(Packet.publish("a", "x", qos: 1, id: id)) }
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one") { $0.maximumInFlight = 10 }
        let subscription = try await running.client.subscribe([.init("a")], buffer: .suspend(1))
        let publish = Task { try await running.client.publish(.init(topic: "b", payload: "x")) }
        let reason = try await running.disconnected()
        #expect(reason.code == .protocolError)
        #expect(reason.message.contains("more messages came than may be unacknowledged"))
        await #expect(throws: MQTTError.self) { try await publish.value }
        #expect(subscription.dropped == 0)
        await running.stop()
        broker.stop()
    }

    @Test func `must not be exceeded with messages of a resumed session that nobody wants yet`() async throws {
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept(isResumed: true)
            for id in 1...UInt16.max { try peer.send(Packet.publish("a", "x", qos: 1, id: id)) }
        }
        let running = RunningClient(
            .local(broker.port, "one") {
                $0.maximumInFlight = 10
                $0.cleanStart = false
            }
        )
        let reason = try await running.disconnected()
        #expect(reason.message.contains("more messages came than may be unacknowledged"))
        await running.stop()
        broker.stop()
    }
}
