internal import NIOCore

/// A packet of MQTT 3.1.1 that a client sends, as far as a printer understands it.
enum MQTTPacket {
    case connect(level: UInt8, user: String, password: String)
    case subscribe(id: UInt16, filters: [String])
    case unsubscribe(id: UInt16)
    /// With the id if the client wants an acknowledgement (QoS 1).
    case publish(topic: String, payload: String, id: UInt16?)
    case ping
    case disconnect

    static let maximumSize = 1 << 20

    struct Malformed: Error {}

    /// Takes the next packet out of a buffer; nil if it has not arrived whole.
    static func read(_ buffer: inout ByteBuffer) throws(Malformed) -> MQTTPacket? {
        let start = buffer.readerIndex
        guard let first: UInt8 = buffer.readInteger(), let size = try length(&buffer), size <= buffer.readableBytes
        else {
            buffer.moveReaderIndex(to: start)
            return nil
        }
        guard var body = buffer.readSlice(length: size) else { throw Malformed() }
        switch first >> 4 {
        case 1: return try connect(&body)
        case 3:
            let topic = try text(&body)
            let id: UInt16? = first & 0x06 == 0 ? nil : try number(&body)
            return .publish(topic: topic, payload: String(buffer: body), id: id)
        case 8:
            let id: UInt16 = try number(&body)
            var filters: [String] = []
            while body.readableBytes > 0 {
                filters.append(try text(&body))
                let _: UInt8 = try number(&body)
            }
            return .subscribe(id: id, filters: filters)
        case 10: return .unsubscribe(id: try number(&body))
        case 12: return .ping
        case 14: return .disconnect
        default: throw Malformed()
        }
    }

    static func message(_ payload: String, on topic: String) -> ByteBuffer {
        var packet = ByteBuffer(bytes: [0x30])
        var size = 2 + topic.utf8.count + payload.utf8.count
        repeat {
            packet.writeInteger(UInt8(size & 0x7F) | (size > 0x7F ? 0x80 : 0))
            size >>= 7
        } while size > 0
        packet.writeInteger(UInt16(topic.utf8.count))
        packet.writeString(topic)
        packet.writeString(payload)
        return packet
    }

    /// A will, which no printer gets, is not understood.
    private static func connect(_ body: inout ByteBuffer) throws(Malformed) -> MQTTPacket {
        guard try text(&body) == "MQTT" else { throw Malformed() }
        let level: UInt8 = try number(&body)
        let flags: UInt8 = try number(&body)
        let _: UInt16 = try number(&body)
        _ = try text(&body)
        guard flags & 0x04 == 0 else { throw Malformed() }
        let user = flags & 0x80 == 0 ? "" : try text(&body)
        return .connect(level: level, user: user, password: flags & 0x40 == 0 ? "" : try text(&body))
    }

    /// The remaining length; nil if it has not arrived whole.
    private static func length(_ buffer: inout ByteBuffer) throws(Malformed) -> Int? {
        var length = 0
        for shift in stride(from: 0, to: 28, by: 7) {
            guard let byte: UInt8 = buffer.readInteger() else { return nil }
            length |= Int(byte & 0x7F) << shift
            guard length <= maximumSize else { throw Malformed() }
            if byte & 0x80 == 0 { return length }
        }
        throw Malformed()
    }

    private static func number<Number: FixedWidthInteger>(_ buffer: inout ByteBuffer) throws(Malformed) -> Number {
        guard let number: Number = buffer.readInteger() else { throw Malformed() }
        return number
    }

    private static func text(_ buffer: inout ByteBuffer) throws(Malformed) -> String {
        let size: UInt16 = try number(&buffer)
        guard let text = buffer.readString(length: Int(size)) else { throw Malformed() }
        return text
    }
}
