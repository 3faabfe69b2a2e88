import Platform

/// An RTP packet's header fields that matter here, and its payload (RFC 3550, section 5.1).
package struct RTPPacket: Sendable, Hashable {
    package let marker: Bool
    package let payloadType: UInt8
    package let sequence: UInt16
    package let timestamp: UInt32
    package let source: UInt32
    package let payload: ArraySlice<UInt8>

    /// Nil for what is no RTP of version 2, RTCP on the same channel included.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 12, bytes[0] >> 6 == 2, !(192...223).contains(bytes[1]) else { return nil }
        marker = bytes[1] & 0x80 != 0
        payloadType = bytes[1] & 0x7f
        sequence = UInt16(bigEndianBytes: bytes[2..<4])
        timestamp = UInt32(bigEndianBytes: bytes[4..<8])
        source = UInt32(bigEndianBytes: bytes[8..<12])
        var start = 12 + Int(bytes[0] & 0x0f) * 4
        if bytes[0] & 0x10 != 0 {
            guard bytes.count >= start + 4 else { return nil }
            start += 4 + Int(bigEndianBytes: bytes[start + 2..<start + 4]) * 4
        }
        let padding = bytes[0] & 0x20 != 0 ? Int(bytes[bytes.count - 1]) : 0
        guard start <= bytes.count - padding else { return nil }
        payload = bytes[start..<bytes.count - padding]
    }
}
