import CameraProtocols
import Platform

/// Gives H.264 parameter sets the frame rate that they lack, also inside a packet.
enum FrameRateHint {
    static func added(to set: [UInt8], _ codec: NALCodec) -> [UInt8] {
        guard codec == .h264, set.count <= ParameterSets.longest else { return set }
        return H264SequenceParameters.addingTiming(to: set) ?? set
    }

    /// A packet with other parameter sets, and the parameter sets in it; nil if it stays as it is.
    static func added(
        to fragments: [NALFragment],
        in packet: RTPPacket,
        header bytes: [UInt8],
        _ codec: NALCodec
    ) -> (packet: [UInt8], fragments: [[UInt8]])? {
        // An aggregation packet holds whole units only (RFC 6184, section 5.7).
        guard codec == .h264, fragments.contains(where: { $0.kind == .sequenceParameters }),
            fragments.allSatisfy(\.isEnd)
        else { return nil }
        let units = fragments.map { $0.isParameterSet ? added(to: Array($0.bytes), codec) : Array($0.bytes) }
        guard zip(units, fragments).contains(where: { $0.count != $1.bytes.count }),
            units.allSatisfy({ $0.count <= UInt16.max })
        else { return nil }
        var result = Array(bytes[..<packet.payload.startIndex])
        // The padding is left out (RFC 3550, section 5.1).
        result[0] &= ~0x20
        if fragments.count == 1 {
            result += units[0]
        } else {
            // STAP-A (RFC 6184, section 5.7.1), also for units that start codes separated.
            result.append(codec.aggregationType | 0x60)
            for unit in units { result += UInt16(unit.count).bigEndianBytes + unit }
        }
        guard result.count <= UInt16.max else { return nil }
        return (result, zip(units, fragments).filter { $1.isParameterSet }.map(\.0))
    }
}
