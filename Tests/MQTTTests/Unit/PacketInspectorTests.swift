import TestSupport
import Testing

@testable import MQTT

@Suite
struct `Packets of a broker are judged` {
    private func inspector(_ change: (inout MQTTConfiguration) -> Void = { _ in }) throws -> PacketInspector {
        var configuration = MQTTConfiguration(endpoint: .tcp(host: "x", port: 1), clientID: "one")
        configuration.cleanStart = false
        change(&configuration)
        var inspector = PacketInspector(configuration)
        let connack = configuration.protocolVersion == .v5 ? Packet.connack() : [0x20, 2, 0, 0]
        _ = try verdict(connack, &inspector)
        return inspector
    }

    private func verdict(_ packet: [UInt8], _ inspector: inout PacketInspector) throws -> PacketInspector.Verdict {
        let content = 1 + (packet.dropFirst().firstIndex { $0 & 0x80 == 0 } ?? 1)
        return try packet.withUnsafeBytes { try inspector.inspect($0, content: content) }
    }

    @Test func `What a broker grants as it refuses binds nobody`() throws {
        var inspector = try inspector()
        inspector.reconnected()
        _ = try verdict(Packet.connack(0x88, properties: [0x27, 0, 0, 3, 0xe8]), &inspector)
        #expect(inspector.limits == BrokerLimits())
    }

    @Test func `A QoS 2 message that comes again before it is released is a repetition`() throws {
        var inspector = try inspector()
        let packet = Packet.publish("a", "x", qos: 2, id: 7)
        let message = InboundMessage(message: MQTTMessage(topic: "a", payload: "x", qos: .exactlyOnce), id: 7)
        #expect(try verdict(packet, &inspector) == .message(message))
        inspector.inbound.handedOver(7)
        inspector.reconnected()
        _ = try verdict(Packet.connack(isResumed: true), &inspector)
        #expect(try verdict(Packet.publish("a", "x", qos: 2, id: 7, dup: true), &inspector) == .repeated(7))
        #expect(try verdict(Packet.answer(6, 7), &inspector) == .released(7))
        #expect(try verdict(packet, &inspector) == .message(message))
    }

    @Test func `A QoS 2 message of a session that the broker has lost is a new one`() throws {
        var inspector = try inspector()
        let packet = Packet.publish("a", "x", qos: 2, id: 7)
        let message = try verdict(packet, &inspector)
        inspector.inbound.handedOver(7)
        inspector.reconnected()
        _ = try verdict(Packet.connack(), &inspector)
        #expect(try verdict(packet, &inspector) == message)
    }

    @Test(arguments: [PacketType.puback, .pubrec, .pubcomp])
    func `An answer to a message of ours is read`(type: PacketType) throws {
        var inspector = try inspector()
        let answer = Packet.answer(type.rawValue, 258, 0x97)
        #expect(try verdict(answer, &inspector) == .answered(type, 258, .quotaExceeded))
        #expect(try verdict([type.head, 2, 1, 2], &inspector) == .answered(type, 258, .success))
    }

    @Test func `A DISCONNECT may leave its reason out`() throws {
        var inspector = try inspector()
        #expect(try verdict([0xe0, 0], &inspector) == .disconnect(.success))
        #expect(try verdict([0xe0, 1, 0x8e], &inspector) == .disconnect(.sessionTakenOver))
    }

    @Test(arguments: [
        [0xe0, 0], [0xf0, 0], Packet.answer(4, 1), [0x30, 4, 0, 1, 0xff, 0x78], [0x20, 2, 0, 0],
    ])
    func `What only MQTT 5 has is an offence in 3.1.1`(packet: [UInt8]) throws {
        var inspector = try inspector { $0.protocolVersion = .v311 }
        #expect(throws: ProtocolViolation.self) { try verdict(packet, &inspector) }
    }

    @Test(arguments: [
        [0x90, 3, 0, 1, 0], [0xb0, 2, 0, 1], [0xd0, 0],
    ])
    func `What 3.1.1 has passes`(packet: [UInt8]) throws {
        var inspector = try inspector { $0.protocolVersion = .v311 }
        #expect(try verdict(packet, &inspector) == .pass)
    }

    @Test(
        arguments: [
            ([0x30, 4, 0, 1, 0x61, 0x78], .atMostOnce, 0), ([0x32, 6, 0, 1, 0x61, 1, 2, 0x78], .atLeastOnce, 258),
            ([0x34, 6, 0, 1, 0x61, 1, 2, 0x78], .exactlyOnce, 258),
        ] as [([UInt8], MQTTQoS, UInt16)]
    )
    func `A message of 3.1.1 is read`(packet: [UInt8], qos: MQTTQoS, id: UInt16) throws {
        var inspector = try inspector { $0.protocolVersion = .v311 }
        let message = MQTTMessage(topic: "a", payload: "x", qos: qos)
        #expect(try verdict(packet, &inspector) == .message(InboundMessage(message: message, id: id)))
    }

    @Test func `A message of MQTT 5 is read with what it carries`() throws {
        var inspector = try inspector()
        let properties: [[UInt8]] = [
            [0x01, 1], [0x02, 0, 0, 1, 0], [0x03] + Packet.string([0x74]), [0x08] + Packet.string([0x72]),
            [0x09] + Packet.string([0, 0xff]), [0x0b, 0x80, 1], [0x0b, 2],
            [0x26] + Packet.string([0x6e]) + Packet.string([0x76]), [0x26] + Packet.string([0x6e]) + Packet.string([]),
        ]
        let packet = Packet.publish([0x61], [0x78], qos: 1, id: 3, properties: properties.flatMap(\.self))
        let carried = MQTTProperties(
            messageExpiry: .seconds(256),
            responseTopic: "r",
            correlationData: [0, 0xff],
            contentType: "t",
            isUTF8: true,
            userProperties: [MQTTUserProperty("n", "v"), MQTTUserProperty("n", "")]
        )
        let expected = InboundMessage(
            message: MQTTMessage(topic: "a", payload: "x", retain: true, properties: carried),
            id: 3,
            subscriptions: [128, 2]
        )
        #expect(try verdict([packet[0] | 1] + packet.dropFirst(), &inspector) == .message(expected))
    }

    @Test(.timeLimit(.minutes(1)))
    func `As many properties as fit take no longer than their number says`() throws {
        var inspector = try inspector()
        let count = 200_000
        let properties = [[UInt8]](repeating: [0x26, 0, 0, 0, 0], count: count).flatMap(\.self)
        let packet = Packet.publish([0x61], properties: properties)
        guard case .message(let inbound) = try verdict(packet, &inspector) else { throw TestFailure("no message") }
        var message = inbound.message
        #expect(message.properties.userProperties.count == count)
        for _ in 0..<count { message.properties.userProperties.append(MQTTUserProperty("", "")) }
        #expect(message.properties.userProperties.count == 2 * count)
    }

    @Test func `A topic alias is named, also where it stands for the topic`() throws {
        for topic in [[], [0x61]] as [[UInt8]] {
            var inspector = try inspector()
            let packet = Packet.publish(topic, properties: [0x23, 0, 1])
            let violation = #expect(throws: ProtocolViolation.self) { try verdict(packet, &inspector) }
            #expect(violation?.reason == .topicAliasInvalid)
        }
    }

    @Test func `A response topic that is none is left out`() throws {
        var inspector = try inspector()
        let packet = Packet.publish([0x61], properties: [0x08] + Packet.string(Array("a/#".utf8)))
        let message = InboundMessage(message: MQTTMessage(topic: "a", payload: "", qos: .atMostOnce), id: 0)
        #expect(try verdict(packet, &inspector) == .message(message))
    }

    @Test func `What a broker grants is read`() throws {
        var inspector = try inspector { $0.clientID = "" }
        inspector.reconnected()
        let properties: [[UInt8]] = [
            [0x12] + Packet.string([0x6e]), [0x13, 0, 7], [0x21, 0, 8], [0x24, 1], [0x25, 0], [0x27, 0, 0, 1, 0],
            [0x28, 0],
            [0x29, 0], [0x2a, 0],
        ]
        _ = try verdict(Packet.connack(properties: properties.flatMap(\.self)), &inspector)
        let granted = BrokerLimits(
            maximumPacketSize: 256,
            receiveMaximum: 8,
            isRetainAvailable: false,
            maximumQoS: .atLeastOnce,
            keepAlive: 7,
            assignedClientID: "n",
            hasSubscriptionIdentifiers: false,
            hasWildcards: false,
            hasSharedSubscriptions: false
        )
        #expect(inspector.limits == granted)
    }

    @Test func `Every property passes where it belongs`() throws {
        let forms: [PropertyRule.Form: [UInt8]] = [
            .flag: [1], .byte: [1], .uint16: [0, 1], .uint32: [0, 0, 0, 1], .varint: [1], .string: [0, 1, 0x61],
            .binary: [0, 1, 0], .pair: [0, 1, 0x61, 0, 0],
        ]
        for (identifier, rule) in PropertyRule.all where identifier != 0x23 && rule.packets.contains(.publish) {
            var inspector = try inspector()
            let property = [identifier] + (forms[rule.form] ?? [])
            _ = try verdict(Packet.publish([0x61], properties: property), &inspector)
            let twice = Packet.publish([0x61], properties: property + property)
            let isAccepted = (try? verdict(twice, &inspector)) != nil
            #expect(isAccepted == rule.isRepeatable, "property \(identifier)")
            // One byte short.
            let short = Packet.publish([0x61], properties: property.dropLast())
            #expect(throws: ProtocolViolation.self) { try verdict(short, &inspector) }
        }
    }

    @Test(arguments: 0..<8)
    func `Noise is judged without harm`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var framer = PacketFramer(limit: 512)
        var judged = 0
        for _ in 0..<5_000 {
            var inspector = try inspector()
            var packet = Packet.publish("a/b", "payload", qos: UInt8.random(in: 0...2, using: &generator))
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                packet[Int.random(in: 0..<packet.count, using: &generator)] = UInt8.random(
                    in: 0...255,
                    using: &generator
                )
            }
            packet.withUnsafeBytes { bytes in
                _ = try? framer.append(
                    bytes,
                    inspect: { packet, content throws(ProtocolViolation) in
                        judged += 1
                        return try inspector.inspect(packet, content: content) == .pass ? .pass : .drop
                    },
                    forward: { _ in }
                )
            }
            if framer.partialCount > 0 { framer = PacketFramer(limit: 512) }
        }
        #expect(judged > 2_000)
    }
}
