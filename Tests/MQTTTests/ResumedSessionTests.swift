import Foundation
import Logging
import MQTT
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `What a session holds for a client` {
    private func client(_ port: Int, _ change: (inout MQTTConfiguration) -> Void = { _ in }) async throws
        -> RunningClient
    {
        try await .connected(to: port, as: "mine") {
            $0.cleanStart = false
            $0.sessionExpiry = .seconds(600)
            change(&$0)
        }
    }

    @Test(arguments: [MQTTQoS.atLeastOnce, .exactlyOnce])
    func `What came while a program was away finds the next run, also if it subscribes late`(qos: MQTTQoS) async throws
    {
        let broker = try await MosquittoBroker.start()
        let first = try await client(broker.port)
        let before = try await first.client.subscribe([.init("a/+", qos: qos)])
        await first.stop()
        withExtendedLifetime(before) {}
        let other = try await RunningClient.connected(to: broker.port, as: "other")
        for text in ["1", "2", "3"] { try await other.client.publish(.init(topic: "a/b", payload: text, qos: qos)) }
        let second = try await client(broker.port)
        // A broker answers pings after it has sent what it holds: now it all is here.
        try await second.client.publish(.init(topic: "else", payload: ""))
        let subscription = try await second.client.subscribe([.init("a/+", qos: qos)])
        var texts: [String] = []
        for try await message in subscription {
            texts.append(message.text)
            #expect(message.qos == qos)
            if texts.count == 3 { break }
        }
        #expect(texts == ["1", "2", "3"])
        for running in [second, other] { await running.stop() }
    }

    @Test func `A subscription that ended while there was no connection is given back, the others are asked for`()
        async throws
    {
        let hasEnded = Mutex(false)
        let packets = Mutex<[[UInt8]]>([])
        let broker = try ScriptedBroker { peer, connection in
            guard connection > 1 else {
                try peer.accept()
                for _ in 0..<2 {
                    try peer.send(Packet.suback(Packet.identifier(of: try peer.receive(type: 8)), [0]))
                }
                return
            }
            while !hasEnded.withLock(\.self) { usleep(1_000) }
            try peer.accept(isResumed: true)
            for _ in 0..<2 {
                let packet = try peer.receive()
                packets.withLock { $0.append(packet) }
            }
            try peer.drain()
        }
        let running = try await client(broker.port)
        let kept = try await running.client.subscribe([.init("a/#")])
        let ended = try await running.client.subscribe([.init("a/b")])
        try await eventually("the connection is lost") { broker.connections == 2 }
        ended.cancel()
        // Refused by the loop, which has done by then what came before.
        await #expect(throws: MQTTError.self) { try await running.client.publish(.init(topic: "a", payload: "")) }
        hasEnded.withLock { $0 = true }
        try await eventually("it is told") { packets.withLock(\.count) == 2 }
        #expect(packets.withLock { $0.map(\.first) } == [0xa2, 0x82], "\(packets.withLock { $0 })")
        #expect(packets.withLock { $0[0].suffix(3) } == Array("a/b".utf8)[...])
        withExtendedLifetime(kept) {}
        await running.stop()
        broker.stop()
    }

    @Test(arguments: [false, true])
    func `What a run left in the middle of QoS 2 is completed by the next one`(isReceived: Bool) async throws {
        let first = Mutex<UInt8?>(nil)
        let broker = try ScriptedBroker { peer, connection in
            try peer.accept(isResumed: connection > 1)
            guard connection == 1 else {
                let packet = try peer.receive()
                first.withLock { $0 = packet[0] }
                return
            }
            let id = Packet.publishIdentifier(of: try peer.receive(type: 3))
            first.withLock { $0 = 0 }
            guard isReceived else { return try peer.drain() }
            try peer.send(Packet.answer(5, id))
            try peer.receive(type: 6)
            first.withLock { $0 = 1 }
            try peer.drain()
        }
        let configuration = MQTTConfiguration.local(broker.port, "mine") {
            $0.cleanStart = false
            $0.whenOffline = .wait
        }
        let client = MQTTClient(configuration: configuration, logger: .silent)
        let run = Task { try await client.run() }
        let publish = Task { try await client.publish(.init(topic: "a", payload: "x", qos: .exactlyOnce)) }
        try await eventually("half of it") { first.withLock { $0 } == (isReceived ? 1 : 0) }
        run.cancel()
        _ = await run.result
        await #expect(throws: MQTTError.self) { try await publish.value }
        let again = Task { try await client.run() }
        // PUBREL, or PUBLISH at QoS 2 with DUP.
        try await eventually("the other half") { first.withLock { $0 } == (isReceived ? 0x62 : 0x3c) }
        again.cancel()
        _ = await again.result
        broker.stop()
    }

    @Test(arguments: [MQTTQoS.atMostOnce, .atLeastOnce, .exactlyOnce])
    func `Before MQTT 5 a message too large is left out, and neither the connection nor what follows suffers`(
        qos: MQTTQoS
    ) async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await client(broker.port) {
            $0.protocolVersion = .v311
            $0.maximumPacketSize = 1_000
        }
        let other = try await RunningClient.connected(to: broker.port, as: "other")
        let subscription = try await running.client.subscribe([.init("a", qos: qos)])
        for size in [5_000, 3, 70_000, 4] {
            let payload = [UInt8](repeating: 0x78, count: size)
            try await other.client.publish(.init(topic: "a", payload: payload, qos: qos))
        }
        var sizes: [Int] = []
        for try await message in subscription {
            sizes.append(message.payload.count)
            if sizes.count == 2 { break }
        }
        #expect(sizes == [3, 4])
        // All four are answered, so that none comes again.
        let answer = qos == .exactlyOnce ? "Received PUBCOMP from mine" : "Received PUBACK from mine"
        try await eventually("every message is answered") {
            broker.log.components(separatedBy: answer).count - 1 == (qos == .atMostOnce ? 0 : 4)
        }
        for running in [running, other] { await running.stop() }
    }
}
