/// Packets of MQTT 5 as bytes, good and bad ones.
enum Packet {
    /// A packet with its length in front.
    static func make(_ head: UInt8, _ body: [UInt8]) -> [UInt8] { [head] + varint(body.count) + body }

    static func connack(_ reason: UInt8 = 0, properties: [UInt8] = [], isResumed: Bool = false) -> [UInt8] {
        make(0x20, [isResumed ? 1 : 0, reason] + varint(properties.count) + properties)
    }

    static func publish(
        _ topic: [UInt8],
        _ payload: [UInt8] = [],
        qos: UInt8 = 0,
        properties: [UInt8] = []
    ) -> [UInt8] {
        let identifier: [UInt8] = qos > 0 ? [0, 1] : []
        return make(0x30 | qos << 1, string(topic) + identifier + varint(properties.count) + properties + payload)
    }

    static func publish(_ topic: String, _ payload: String, qos: UInt8 = 0) -> [UInt8] {
        publish(Array(topic.utf8), Array(payload.utf8), qos: qos)
    }

    /// PUBACK (4), PUBREC (5), PUBREL (6) or PUBCOMP (7).
    static func answer(_ type: UInt8, _ id: UInt16) -> [UInt8] {
        make(type << 4 | (type == 6 ? 2 : 0), [UInt8(id >> 8), UInt8(id & 0xff), 0])
    }

    static func suback(_ id: UInt16, _ codes: [UInt8]) -> [UInt8] {
        make(0x90, [UInt8(id >> 8), UInt8(id & 0xff), 0] + codes)
    }

    static func disconnect(_ reason: UInt8) -> [UInt8] { make(0xe0, [reason, 0]) }

    static func string(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes }

    static func varint(_ value: Int) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        repeat {
            bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }

    /// The identifier of a SUBSCRIBE, UNSUBSCRIBE or an answer.
    static func identifier(of packet: [UInt8]) -> UInt16 {
        let start = 1 + (packet.dropFirst().firstIndex { $0 & 0x80 == 0 } ?? 1)
        return UInt16(packet[start]) << 8 | UInt16(packet[start + 1])
    }

    /// The identifier of a PUBLISH at QoS 1 or 2.
    static func publishIdentifier(of packet: [UInt8]) -> UInt16 {
        let start = 1 + (packet.dropFirst().firstIndex { $0 & 0x80 == 0 } ?? 1)
        let end = start + 2 + (Int(packet[start]) << 8 | Int(packet[start + 1]))
        return UInt16(packet[end]) << 8 | UInt16(packet[end + 1])
    }
}
