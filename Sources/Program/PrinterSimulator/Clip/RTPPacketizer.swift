internal import NIOCore

/// Cuts NAL units into RTP packets (RFC 6184, packetization mode 1) and frames them for RTSP's connection (RFC 2326, 10.12).
struct RTPPacketizer: Sendable {
    static let payloadType: UInt8 = 96
    static let clockRate = 90_000
    /// The most payload in one packet, so that it would fit an Ethernet frame.
    static let maximumPayload = 1400

    let source: UInt32
    private(set) var sequenceNumber: UInt16

    /// Appends the packets of one picture to `buffer`; the last one carries the marker.
    mutating func write(_ frame: H264Clip.Frame, timestamp: UInt32, channel: UInt8, to buffer: inout ByteBuffer) {
        let payloads = frame.units.flatMap(Self.payloads)
        for (index, payload) in payloads.enumerated() {
            let isLast = index == payloads.count - 1
            buffer.writeBytes([UInt8(ascii: "$"), channel])
            buffer.writeInteger(UInt16(payload.count + 12))
            buffer.writeBytes([0x80, Self.payloadType | (isLast ? 0x80 : 0)])
            buffer.writeInteger(sequenceNumber)
            buffer.writeInteger(timestamp)
            buffer.writeInteger(source)
            buffer.writeBytes(payload)
            sequenceNumber &+= 1
        }
    }

    /// The unit itself, or its fragments (FU-A, section 5.8), where its first byte is spread over two.
    private static func payloads(of unit: [UInt8]) -> [[UInt8]] {
        guard let head = unit.first, unit.count > maximumPayload else { return [unit] }
        let size = maximumPayload - 2
        return stride(from: 1, to: unit.count, by: size).map { start in
            let end = min(start + size, unit.count)
            let flags: UInt8 = start == 1 ? 0x80 : end == unit.count ? 0x40 : 0
            return [head & 0xE0 | 28, flags | head & 0x1F] + unit[start..<end]
        }
    }
}
