import CameraProtocols
import NIOCore

@testable import Relay

/// Packets of H.264 for tests.
enum Packets {
    static let parameters: [UInt8] = [0x67, 0x42, 0xc0, 0x1f]
    static let keyPicture: [UInt8] = [0x65, 0x88, 1, 2, 3]
    /// A slice of the same picture.
    static let keySlice: [UInt8] = [0x65, 0x40, 1, 2]
    static let picture: [UInt8] = [0x41, 0x9a, 0x24]

    /// A packet of RTP.
    static func bytes(_ sequence: UInt16, at timestamp: UInt32, _ payload: [UInt8], isLast: Bool = true) -> [UInt8] {
        var buffer = ByteBuffer(bytes: [0x80, 96 | (isLast ? 0x80 : 0)])
        buffer.writeInteger(sequence)
        buffer.writeInteger(timestamp)
        buffer.writeInteger(UInt32(0x1122_3344))
        return Array(buffer.readableBytesView) + payload
    }

    static func packet(
        _ sequence: UInt16,
        at timestamp: UInt32,
        _ payload: [UInt8],
        isLast: Bool = true,
        _ codec: NALCodec = .h264
    ) -> MediaPacket? {
        MediaPacket(bytes(sequence, at: timestamp, payload, isLast: isLast), codec: codec)
    }

    /// What a viewer reads: each packet as its sequence number, its timestamp and its payload.
    static func read(_ buffers: [ByteBuffer]) -> [Seen] {
        var all = ByteBuffer()
        for buffer in buffers { all.writeImmutableBuffer(buffer) }
        var seen: [Seen] = []
        while let frame = all.readBytes(length: 4),
            let packet = all.readBytes(length: Int(frame[2]) << 8 | Int(frame[3]))
        {
            guard frame[0] == 0x24, frame[1] == 0, let packet = RTPPacket(packet) else { return [] }
            seen.append(Seen(packet.sequence, packet.timestamp, Array(packet.payload)))
        }
        return seen
    }

    struct Seen: Hashable, CustomStringConvertible {
        let sequence: UInt16
        let timestamp: UInt32
        let payload: [UInt8]

        init(_ sequence: UInt16, _ timestamp: UInt32, _ payload: [UInt8]) {
            (self.sequence, self.timestamp, self.payload) = (sequence, timestamp, payload)
        }

        var description: String { "\(sequence)@\(timestamp): \(payload)" }
    }
}
