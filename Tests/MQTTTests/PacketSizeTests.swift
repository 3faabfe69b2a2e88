import Synchronization
import TestSupport
import Testing

@testable import MQTT

@Suite(.timeLimit(.minutes(1)))
struct `The largest packet that the broker takes` {
    /// libmosquitto 2.0.11 ends the process over a message that is one byte too long.
    @Test(arguments: MQTTQoS.allCases)
    func `is kept to the byte`(qos: MQTTQoS) async throws {
        let sizes = Mutex<Set<Int>>([])
        let broker = try ScriptedBroker { peer, _ in
            // Maximum Packet Size 200
            try peer.accept(properties: [0x27, 0, 0, 0, 200])
            while true {
                let packet = try peer.receive()
                guard packet[0] >> 4 == 3 || packet[0] >> 4 == 6 else { continue }
                let isPublish = packet[0] >> 4 == 3
                if isPublish { sizes.withLock { _ = $0.insert(packet.count) } }
                guard qos != .atMostOnce else { continue }
                let id = isPublish ? Packet.publishIdentifier(of: packet) : Packet.identifier(of: packet)
                try peer.send(Packet.answer(isPublish ? (qos == .exactlyOnce ? 5 : 4) : 7, id))
            }
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        var refused = 0
        for count in 180...200 {
            do {
                let payload = [UInt8](repeating: 0x78, count: count)
                try await running.client.publish(MQTTMessage(topic: "a", payload: payload, qos: qos))
            } catch let error as MQTTError where error.code == .tooLarge {
                refused += 1
            }
        }
        let first = qos == .atMostOnce ? 187 : 189
        try await eventually("all that may go has come") { sizes.withLock { $0.count } == 200 - first + 1 }
        #expect(sizes.withLock { $0.max() } == 200)
        #expect(refused == 21 - (200 - first + 1))
        #expect(broker.connections == 1)
        await running.stop()
        broker.stop()
    }

    @Test(
        arguments: [
            ("a smaller size", [0x27, 0, 0, 3, 0xe8]), ("a lower QoS", [0x24, 0]), ("nothing retained", [0x25, 0]),
        ] as [(String, [UInt8])],
        [MQTTQoS.atLeastOnce, .exactlyOnce]
    )
    func `may become smaller: what it refuses in flight fails, and what follows goes`(
        limit: (name: String, properties: [UInt8]),
        qos: MQTTQoS
    ) async throws {
        let types = Mutex<[UInt8]>([])
        let broker = try ScriptedBroker { peer, connection in
            guard connection > 1 else {
                try peer.accept()
                try peer.receive(type: 3)
                return
            }
            try peer.accept(properties: limit.properties, isResumed: true)
            while true {
                let packet = try peer.receive()
                types.withLock { $0.append(packet[0] >> 4) }
                if packet[0] >> 4 == 6 { try peer.send(Packet.answer(7, Packet.identifier(of: packet), 0x92)) }
            }
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one") {
            $0.cleanStart = false
            $0.whenOffline = .wait
        }
        let payload = [UInt8](repeating: 0x78, count: 5_000)
        let message = MQTTMessage(topic: "a", payload: payload, qos: qos, retain: true)
        let error = await #expect(throws: MQTTError.self) { try await running.client.publish(message) }
        #expect(error?.code == .connectionLost)
        try await running.client.publish(.init(topic: "a", payload: "x", qos: .atMostOnce))
        try await eventually("the next message") { types.withLock { $0.last } == 3 }
        #expect(types.withLock { $0 } == (qos == .exactlyOnce ? [6, 3] : [3]))
        #expect(broker.connections == 2)
        await running.stop()
        broker.stop()
    }
}

@Suite struct `The size of a message` {
    private static let filled: MQTTProperties = {
        var properties = MQTTProperties(messageExpiry: .seconds(1), responseTopic: "r/s", contentType: "text/plain")
        properties.correlationData = [1, 2, 3]
        properties.isUTF8 = true
        properties.userProperties = [.init("name", String(repeating: "v", count: 130)), .init("", "")]
        return properties
    }()

    @Test(arguments: [MQTTProperties(), filled], [0, 1, 100, 120, 16_250, 16_400, 70_000])
    func `is what is sent`(properties: MQTTProperties, count: Int) async throws {
        let size = Mutex(0)
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            let packet = try peer.receive(type: 3)
            size.withLock { $0 = packet.count }
            try peer.send(Packet.answer(4, Packet.publishIdentifier(of: packet)))
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let payload = [UInt8](repeating: 0x78, count: count)
        let message = MQTTMessage(topic: "a/b", payload: payload, properties: properties)
        try await running.client.publish(message)
        #expect(message.packetSize == size.withLock { $0 })
        await running.stop()
        broker.stop()
    }
}

@Suite struct `A message that cannot be sent` {
    private static let long = String(repeating: "x", count: 65_536)

    @Test(
        arguments: [
            (.init(messageExpiry: nil, contentType: long), "it has more than 65,535 bytes, the content type"),
            (
                .init(messageExpiry: nil, correlationData: Array(long.utf8)),
                "the correlation data has more than 65,535 bytes"
            ),
            (
                .init(messageExpiry: nil, userProperties: [.init("a", "b\n")]),
                "it has a control character or a noncharacter in it, a user property"
            ),
            (.init(messageExpiry: nil, userProperties: [.init("\0", "b")]), "it has a NUL in it, a user property"),
        ] as [(MQTTProperties, String)]
    )
    func `names the property, and only MQTT 5 cares`(properties: MQTTProperties, problem: String) {
        let message = MQTTMessage(topic: "a", payload: "x", properties: properties)
        let error = message.refusal(isV5: true)
        #expect(error?.code == .invalidTopic)
        #expect(error?.message == "A property of the message cannot be sent: \(problem).")
        #expect(message.refusal(isV5: false) == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `is refused before anything is sent, and the connection stays`() async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let properties = MQTTProperties(messageExpiry: nil, userProperties: [.init("a", "b\u{1}")])
        let error = await #expect(throws: MQTTError.self) {
            try await running.client.publish(.init(topic: "a", payload: "x", properties: properties))
        }
        #expect(error?.code == .invalidTopic)
        try await running.client.publish(.init(topic: "a", payload: "x"))
        #expect(broker.log.split(separator: "Received PUBLISH from one").count == 2)
        await running.stop()
    }
}
