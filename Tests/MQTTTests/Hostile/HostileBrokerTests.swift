import Foundation
import MQTT
import Synchronization
import TestSupport
import Testing

/// One thing that no broker may do to a client that is connected.
struct Offence: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    var reason: MQTTReasonCode?

    init(_ description: String, _ bytes: [UInt8], reason: MQTTReasonCode? = nil) {
        (testDescription, self.bytes, self.reason) = (description, bytes, reason)
    }

    static let afterConnecting = [
        Offence("a type of packet that does not exist", [0x00, 0]),
        Offence("a length of five bytes", [0x30, 0xff, 0xff, 0xff, 0xff, 0x01]),
        Offence("a second CONNACK", Packet.connack()),
        Offence("CONNECT", Packet.make(0x10, [0, 4] + Array("MQTT".utf8) + [5, 2, 0, 60, 0, 0, 0])),
        Offence("SUBSCRIBE", Packet.make(0x82, [0, 1, 0, 0, 1, 0x61, 0])),
        Offence("a PUBLISH at QoS 3", Packet.publish(Array("a".utf8), qos: 3)),
        Offence("a PUBLISH without a topic or an alias", Packet.publish([])),
        Offence("a PUBLISH with an alias that nobody announced", Packet.publish([], properties: [0x23, 0, 1])),
        Offence("a topic that is not UTF-8", Packet.publish([0x61, 0xff, 0xfe])),
        Offence("a topic with a NUL", Packet.publish([0x61, 0, 0x62])),
        Offence("a topic with a surrogate", Packet.publish([0xed, 0xa0, 0x80])),
        Offence("a topic with a wildcard", Packet.publish(Array("a/#".utf8))),
        Offence("a topic that is longer than its packet", Packet.make(0x30, [0xff, 0xff, 0x61])),
        Offence("a PUBLISH at QoS 1 with identifier 0", Packet.publish(Array("a".utf8), qos: 1, id: 0)),
        Offence("a PUBLISH that ends before its identifier", Packet.make(0x32, [0, 1, 0x61])),
        Offence("a property that no PUBLISH has", Packet.publish(Array("a".utf8), properties: [0x21, 0, 1])),
        Offence("a property that does not exist", Packet.publish(Array("a".utf8), properties: [0x7f])),
        Offence("properties that are longer than their packet", Packet.make(0x30, [0, 1, 0x61, 0x7f])),
        Offence("a property twice", Packet.publish(Array("a".utf8), properties: [0x01, 1, 0x01, 1])),
        Offence("a PUBACK without an identifier", [0x40, 0]),
        Offence("a PUBACK for identifier 0", Packet.answer(4, 0)),
        Offence("a PUBREL with wrong flags", [0x60, 2, 0, 1]),
        Offence("a SUBACK without an identifier", [0x90, 1, 0]),
        Offence("a SUBACK without a code", Packet.suback(1, [])),
        Offence("a PINGRESP with a content", [0xd0, 1, 0]),
        Offence("AUTH, which nobody asked for", Packet.make(0xf0, [0x18, 0])),
        Offence("UNSUBSCRIBE", Packet.make(0xa2, [0, 1, 0, 0, 1, 0x61])),
        Offence("PINGREQ", [0xc0, 0]),
        Offence("PUBLISH with an alias and a topic", Packet.publish(Array("a".utf8), properties: [0x23, 0, 1])),
        Offence("a packet of 268,435,455 bytes", [0x30, 0xff, 0xff, 0xff, 0x7f, 0, 1, 0x61]),
        Offence("a SUBACK for identifier 0", Packet.suback(0, [0])),
    ]

    static let onConnecting = [
        Offence("PUBLISH before CONNACK", Packet.publish("a", "x")),
        Offence("SUBACK before CONNACK", Packet.suback(1, [0])),
        Offence("a CONNACK without a reason code", [0x20, 1, 0]),
        Offence("a CONNACK with properties that are longer than it", [0x20, 3, 0, 0, 9]),
        Offence("a CONNACK with a receive maximum of 0", Packet.connack(properties: [0x21, 0, 0])),
        Offence("a CONNACK with a maximum packet size of 0", Packet.connack(properties: [0x27, 0, 0, 0, 0])),
        Offence("a CONNACK with a maximum QoS of 2", Packet.connack(properties: [0x24, 2])),
        Offence("a CONNACK that says 7 to 'retain available'", Packet.connack(properties: [0x25, 7])),
        Offence("a CONNACK with a property of PUBLISH", Packet.connack(properties: [0x02, 0, 0, 0, 1])),
        Offence("a CONNACK that resumes a session that was to be forgotten", Packet.connack(isResumed: true)),
        Offence("a CONNACK that renames a client that has a name", Packet.connack(properties: [0x12, 0, 1, 0x78])),
    ]
}

@Suite(.timeLimit(.minutes(1)))
struct `A broker that breaks the rules` {
    @Test(arguments: Offence.afterConnecting)
    func `is left, named and tried again`(offence: Offence) async throws {
        let broker = try ScriptedBroker { peer, connection in
            try peer.accept()
            if connection == 1 { try peer.send(offence.bytes) }
            try peer.drain()
        }
        let running = RunningClient(.local(broker.port, "one"))
        let reason = try await running.event("the end of the connection") { event in
            if case .disconnected(let reason, _) = event { reason } else { nil }
        }
        #expect(reason.code == .protocolError, "\(reason)")
        try await running.session()
        #expect(broker.connections == 2)
        await running.stop()
        broker.stop()
    }

    @Test(arguments: Offence.onConnecting)
    func `while connecting is named and tried again`(offence: Offence) async throws {
        let broker = try ScriptedBroker { peer, connection in
            try peer.receive(type: 1)
            try peer.send(connection == 1 ? offence.bytes : Packet.connack())
            try peer.drain()
        }
        let running = RunningClient(.local(broker.port, "one"))
        #expect(try await running.failure().code == .protocolError)
        try await running.session()
        await running.stop()
        broker.stop()
    }

    @Test(
        arguments: [
            128, 132, 133, 134, 135, 136, 137, 138, 140, 144, 149, 151, 153, 154, 155, 156, 157, 159, 1, 77, 255,
        ] as [UInt8]
    )
    func `Every refusal is told with its code`(code: UInt8) async throws {
        let broker = try ScriptedBroker { peer, connection in
            try peer.receive(type: 1)
            try peer.send(Packet.connack(connection == 1 ? code : 0))
            try peer.drain()
        }
        let running = RunningClient(.local(broker.port, "one"))
        let reason = try await running.failure()
        #expect(reason.code == .refused)
        #expect(reason.reason?.rawValue == code)
        try await running.session()
        await running.stop()
        broker.stop()
    }

    @Test(
        arguments: [
            0, 129, 130, 131, 135, 137, 139, 141, 142, 143, 144, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157,
            158, 159, 160, 161, 162,
        ] as [UInt8]
    )
    func `Every DISCONNECT is told with its code`(code: UInt8) async throws {
        let broker = try ScriptedBroker { peer, connection in
            try peer.accept()
            if connection == 1 { try peer.send(Packet.disconnect(code)) }
            try peer.drain()
        }
        let running = RunningClient(.local(broker.port, "one"))
        let reason = try await running.event("the end of the connection") { event in
            if case .disconnected(let reason, _) = event { reason } else { nil }
        }
        #expect(reason.code == .closedByBroker)
        #expect(reason.reason?.rawValue == code)
        #expect(reason.isTakeoverSuspected == (code == 142))
        try await running.session()
        await running.stop()
        broker.stop()
    }

    @Test func `Answers to what nobody asked are passed over`() async throws {
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            for type: UInt8 in 4...7 { try peer.send(Packet.answer(type, 4_711)) }
            try peer.send(Packet.suback(4_711, [1, 2, 0x87]) + Packet.make(0xb0, [0x12, 0x67, 0, 0x11]) + [0xd0, 0])
            let id = Packet.publishIdentifier(of: try peer.receive(type: 3))
            try peer.send(Packet.answer(4, id &+ 1) + Packet.answer(4, id))
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        #expect(try await running.client.publish(.init(topic: "a", payload: "x")).reason == .success)
        #expect(broker.connections == 1)
        await running.stop()
        broker.stop()
    }

    @Test(arguments: [[4, 7], [7], [5, 4]] as [[UInt8]])
    func `Answers of the wrong kind fail the publish and end the connection`(types: [UInt8]) async throws {
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            let publish = try peer.receive(type: 3)
            let id = Packet.publishIdentifier(of: publish)
            for type in types { try peer.send(Packet.answer(type, id)) }
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let qos = types == [7] ? MQTTQoS.atLeastOnce : .exactlyOnce
        let error = await #expect(throws: MQTTError.self) {
            try await running.client.publish(.init(topic: "a", payload: "x", qos: qos))
        }
        #expect(error?.code == .connectionLost)
        await running.stop()
        broker.stop()
    }

    @Test func `What waits is not sent to a broker that is about to be left`() async throws {
        let came = Mutex<[String]>([])
        let broker = try ScriptedBroker { peer, connection in
            try peer.accept()
            while true {
                let packet = try peer.receive(type: 3)
                came.withLock { $0.append("\(String(decoding: packet.suffix(1), as: UTF8.self)) on \(connection)") }
                if connection == 1 { usleep(100_000) }
                let answer = Packet.answer(4, Packet.publishIdentifier(of: packet))
                try peer.send(connection == 1 ? answer + [0, 0] : answer)
            }
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one") {
            $0.maximumInFlight = 1
            $0.whenOffline = .wait
        }
        try await withThrowingDiscardingTaskGroup { group in
            for text in ["1", "2"] {
                group.addTask(executorPreference: running.client.eventLoop) {
                    try await running.client.publish(.init(topic: "a", payload: text))
                }
            }
        }
        #expect(came.withLock { $0 } == ["1 on 1", "2 on 2"])
        await running.stop()
        broker.stop()
    }

    @Test func `A SUBACK without a code is left, and the next connection asks again`() async throws {
        let broker = try ScriptedBroker { peer, connection in
            try peer.accept()
            try peer.send(Packet.suback(Packet.identifier(of: try peer.receive(type: 8)), connection == 1 ? [] : [1]))
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        _ = try await running.client.subscribe([.init("a")])
        #expect(broker.connections == 2)
        await running.stop()
        broker.stop()
    }

    @Test func `Bytes that come one by one are put together`() async throws {
        let broker = try ScriptedBroker { peer, _ in
            try peer.receive(type: 1)
            for byte in Packet.connack() { try peer.send([byte]) }
            let id = Packet.identifier(of: try peer.receive(type: 8))
            for byte in Packet.suback(id, [1]) + Packet.publish("a", "slow", qos: 1) {
                try peer.send([byte])
                usleep(2_000)
            }
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = try await running.client.subscribe([.init("a")])
        #expect(try await subscription.take().map(\.text) == ["slow"])
        await running.stop()
        broker.stop()
    }

    @Test func `A CONNACK that trickles in does not stretch the deadline`() async throws {
        let broker = try ScriptedBroker { peer, _ in
            try peer.receive(type: 1)
            try peer.send([0x20, 0x7f])
            while true {
                try peer.send([0])
                usleep(50_000)
            }
        }
        let running = RunningClient(.local(broker.port, "one") { $0.acknowledgeTimeout = .milliseconds(300) })
        #expect(try await running.failure(timeout: .seconds(3)).code == .timeout)
        await running.stop()
        broker.stop()
    }
}
