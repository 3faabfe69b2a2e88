import MQTT
import Synchronization
import TestSupport
import Testing

@Suite("Servers that are no proper broker", .endsAll, .timeLimit(.minutes(5)))
struct StubbornServerTests {
    @Test(arguments: [
        Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [0x20, 0xff, 0xff, 0xff, 0xff, 0xff],
        [0x30, 3, 0, 1, 0x61],
        [0x20, 2, 0],
    ])
    func `A server that does not speak MQTT is an error`(bytes: [UInt8]) async throws {
        let server = try ScriptedBroker { peer, _ in
            try peer.takeByte()
            try peer.send(bytes)
            while true { try peer.takeByte() }
        }
        let running = try RunningClient(.local(server.port, "one") { $0.acknowledgeTimeout = .milliseconds(300) })
        let reason = try await running.failure()
        #expect([.protocolError, .timeout, .closedOnConnect].contains(reason.code), "\(reason)")
    }

    @Test func `A refused subscription throws the broker's reason`() async throws {
        let server = try ScriptedBroker { peer, _ in
            try peer.acceptSubscription(0x87)
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: server.port, as: "one")
        let error = await #expect(throws: MQTTError.self) { try await running.client.subscribe([.init("secret/#")]) }
        #expect(error?.code == .refused)
        #expect(error?.reason == .notAuthorized)
    }

    @Test func `A subscription whose packet identifier is reported in use is retried with another one`() async throws {
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            var used: Set<UInt16> = []
            for reason: UInt8 in [0x91, 0x91, 0] {
                let identifier = Packet.identifier(of: try peer.receive(type: 8))
                guard used.insert(identifier).inserted else { throw TestFailure("the same identifier again") }
                try peer.send(Packet.suback(identifier, [reason]))
            }
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = try await running.client.subscribe([.init("a/#")])
        #expect(subscription.dropped == 0)
    }

    @Test func `Limits of the broker are told and kept`() async throws {
        // Receive Maximum 7, Maximum QoS 1, Retain Available 0, Server Keep Alive 30, Assigned Client Identifier "x"
        let properties: [UInt8] = [0x21, 0, 7, 0x24, 1, 0x25, 0, 0x13, 0, 30, 0x12, 0, 1, 0x78]
        let server = try ScriptedBroker { peer, _ in
            try peer.accept(properties: properties)
            try peer.drain()
        }
        let running = try RunningClient(.local(server.port, ""))
        let session = try await running.session()
        #expect(session.receiveMaximum == 7 && session.maximumQoS == .atLeastOnce)
        #expect(!session.isRetainAvailable && session.keepAlive == .seconds(30))
        let rows: [(MQTTMessage, MQTTError.Code)] = [
            (.init(topic: "a", payload: "x", retain: true), .retainUnavailable),
            (.init(topic: "a", payload: "x", qos: .exactlyOnce), .qosUnavailable),
        ]
        for (message, code) in rows {
            #expect(await errorCode { try await running.client.publish(message) } == code)
        }
    }

    @Test(arguments: [false, true])
    func `A broker that leaves right after a flood is noticed at once`(reset: Bool) async throws {
        let flood = (0..<1_000).flatMap { _ in Packet.publish("a", "x") }
        let server = try ScriptedBroker { peer, _ in
            try peer.receive(type: 1)
            try peer.send(Packet.connack() + flood)
            if reset { peer.reset() }
        }
        let running = try RunningClient(.local(server.port, "one"))
        // A reset may overtake CONNACK: whether there was a connection is then a matter of chance.
        try await eventually("more attempts, long before keep-alive") { server.connections >= 5 }
        let reason = try await running.disconnected()
        #expect([.connectionLost, .unreachable].contains(reason.code), "\(reason)")
    }

    /// The codes of a refusal of MQTT 5, and those of DISCONNECT.
    private static let refusals: [UInt8] = [
        128, 132, 133, 134, 135, 136, 137, 138, 140, 144, 149, 151, 153, 154, 155, 156, 157, 159,
    ]
    private static let disconnects: [UInt8] = [
        129, 130, 135, 137, 139, 141, 142, 147, 149, 150, 151, 152, 154, 155, 156, 162,
    ]

    @Test(arguments: refusals.map { ($0, true) } + disconnects.map { ($0, false) })
    func `Every refusal, which is tried again, and every DISCONNECT is told with its code`(code: UInt8, isRefusal: Bool)
        async throws
    {
        let broker = try ScriptedBroker { peer, connection in
            try peer.receive(type: 1)
            try peer.send(Packet.connack(isRefusal && connection == 1 ? code : 0))
            if !isRefusal, connection == 1 { try peer.send(Packet.disconnect(code)) }
            try peer.drain()
        }
        let running = try RunningClient(.local(broker.port, "one"))
        let reason = try await running.disconnected()
        #expect(reason.code == (isRefusal ? .refused : .closedByBroker))
        #expect(reason.reason?.rawValue == code)
        // After some DISCONNECTs, half a minute passes before the next attempt.
        if isRefusal { try await running.session() }
    }

    @Test func `Subscription identifiers are left out where the broker has none`() async throws {
        let subscribe = try await subscribePacket(properties: [0x29, 0])
        #expect(subscribe[4] == 0, "no property")
        #expect(try await subscribePacket(properties: [])[4] == 2)
    }

    private func subscribePacket(properties: [UInt8]) async throws -> [UInt8] {
        let packet = Mutex<[UInt8]>([])
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept(properties: properties)
            let subscribe = try peer.receive(type: 8)
            packet.withLock { $0 = subscribe }
            try peer.send(Packet.suback(Packet.identifier(of: subscribe), [1]))
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        _ = try await running.client.subscribe([.init("a")])
        return packet.withLock { $0 }
    }
}
