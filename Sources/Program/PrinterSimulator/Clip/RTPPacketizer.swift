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
        for (index, unit) in frame.units.enumerated() {
            let isLast = index == frame.units.count - 1
            write(unit, isLast: isLast, timestamp: timestamp, channel: channel, to: &buffer)
        }
    }

    private mutating func write(
        _ unit: [UInt8],
        isLast: Bool,
        timestamp: UInt32,
        channel: UInt8,
        to buffer: inout ByteBuffer
    ) {
        guard let head = unit.first else { return }
        if unit.count <= Self.maximumPayload {
            writeHeader(payload: unit.count, marker: isLast, timestamp: timestamp, channel: channel, to: &buffer)
            buffer.writeBytes(unit)
            return
        }
        // FU-A (5.8): the unit's first byte is spread over two.
        let size = Self.maximumPayload - 2
        var start = 1
        while start < unit.count {
            let end = min(start + size, unit.count)
            let marker = isLast && end == unit.count
            writeHeader(payload: end - start + 2, marker: marker, timestamp: timestamp, channel: channel, to: &buffer)
            let flags: UInt8 = start == 1 ? 0x80 : end == unit.count ? 0x40 : 0
            buffer.writeBytes([head & 0xE0 | 28, flags | head & 0x1F])
            buffer.writeBytes(unit[start..<end])
            start = end
        }
    }

    private mutating func writeHeader(
        payload: Int,
        marker: Bool,
        timestamp: UInt32,
        channel: UInt8,
        to buffer: inout ByteBuffer
    ) {
        buffer.writeBytes([UInt8(ascii: "$"), channel])
        buffer.writeInteger(UInt16(payload + 12))
        buffer.writeBytes([0x80, Self.payloadType | (marker ? 0x80 : 0)])
        buffer.writeInteger(sequenceNumber)
        buffer.writeInteger(timestamp)
        buffer.writeInteger(source)
        sequenceNumber &+= 1
    }
}
