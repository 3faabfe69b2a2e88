/// A codec whose pictures travel as NAL units, with what its RTP payload format says about them.
package enum NALCodec: Sendable, Hashable, CaseIterable {
    /// RFC 6184.
    case h264
    /// RFC 7798.
    case h265

    /// Nil when `map`, the value of an `rtpmap` such as `H264/90000`, names another codec.
    init?(map: Substring) {
        switch map.prefix(while: { $0 != "/" }).uppercased() {
        case "H264": self = .h264
        case "H265", "HEVC": self = .h265
        default: return nil
        }
    }

    package var name: VideoCodec { self == .h264 ? .h264 : .h265 }

    package var unitHeaderSize: Int { self == .h264 ? 1 : 2 }
    /// STAP-A, or AP.
    package var aggregationType: UInt8 { self == .h264 ? 24 : 48 }
    /// FU-A, or FU.
    package var fragmentType: UInt8 { self == .h264 ? 28 : 49 }
    var fragmentTypeMask: UInt8 { self == .h264 ? 0x1f : 0x3f }

    package func unitType(_ first: UInt8) -> UInt8 { self == .h264 ? first & 0x1f : first >> 1 & 0x3f }

    /// The header of a fragmented unit, made of that of a piece.
    func unitHeader(_ piece: ArraySlice<UInt8>, type: UInt8) -> ArraySlice<UInt8> {
        var header = piece.prefix(unitHeaderSize)
        let first = header.startIndex
        header[first] = self == .h264 ? header[first] & 0xe0 | type : header[first] & 0x81 | type << 1
        return header
    }

    func kind(ofUnit type: UInt8) -> NALFragment.Kind {
        switch (self, type) {
        case (.h264, 5), (.h265, 16...21): .keySlice
        case (.h264, 1...4), (.h265, 0...9): .otherSlice
        case (.h264, 7), (.h265, 33): .sequenceParameters
        case (.h264, 8), (.h265, 32), (.h265, 34): .otherParameters
        default: .other
        }
    }

    /// What `unit`, a NAL unit, says if it is a sequence parameter set that can be read.
    package func read(parameterSet unit: [UInt8]) -> (format: VideoFormat, sampling: Sampling)? {
        switch self {
        case .h264: H264SequenceParameters.read(unit)
        case .h265: H265SequenceParameters.read(unit)
        }
    }
}

/// How a stream codes the samples of its pictures, in the numbers of the standards.
package struct Sampling: Sendable, Hashable {
    /// `chroma_format_idc`: 1 for 4:2:0.
    package var chroma = 1
    /// Bits of a sample beyond 8.
    package var lumaDepth = 0
    package var chromaDepth = 0
}
