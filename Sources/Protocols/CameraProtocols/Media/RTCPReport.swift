import Platform

/// Reports about a stream's packets, each with the name of its sender behind it (RFC 3550, sections 6.4 and 6.5).
package enum RTCPReport {
    /// What a viewer says: `highest` is the highest sequence number with its cycles, `lost` the number of missing packets.
    ///
    /// The jitter and the round-trip time are not measured: their fields are zero.
    static func receiver(from source: UInt32, about sender: UInt32, highest: UInt32, lost: UInt32) -> [UInt8] {
        [0x81, 201, 0, 7] + bytes(source, sender, min(lost, 0x7f_ffff), highest, 0, 0, 0) + name(of: source)
    }

    /// What a sender says: `seconds` since 1970 belong to `timestamp`.
    package static func sender(
        _ source: UInt32,
        seconds: Double,
        timestamp: UInt32,
        packets: UInt32,
        octets: UInt32
    ) -> [UInt8] {
        // NTP counts from 1900.
        let time = seconds + 2_208_988_800
        let fraction = UInt32((time - time.rounded(.down)) * 4_294_967_295)
        let whole = UInt32(truncatingIfNeeded: Int64(time))
        return [0x80, 200, 0, 6] + bytes(source, whole, fraction, timestamp, packets, octets) + name(of: source)
    }

    /// A frame between the messages of RTSP (RFC 2326, section 10.12).
    package static func frame(_ report: [UInt8], channel: UInt8) -> [UInt8] {
        [ASCII.dollar, channel] + UInt16(report.count).bigEndianBytes + report
    }

    /// A source description with a CNAME, padded to whole words.
    private static func name(of source: UInt32) -> [UInt8] {
        let text = Array("printer2mqtt".utf8)
        let item = [1, UInt8(text.count)] + text
        let padding = [UInt8](repeating: 0, count: 4 - item.count % 4)
        let words = 1 + (item.count + padding.count) / 4
        return [0x81, 202, 0, UInt8(words)] + bytes(source) + item + padding
    }

    private static func bytes(_ words: UInt32...) -> [UInt8] { words.flatMap(\.bigEndianBytes) }
}
