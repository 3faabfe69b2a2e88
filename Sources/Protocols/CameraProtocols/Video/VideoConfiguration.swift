import Platform

/// What a decoder needs before a stream's first picture, made of its parameter sets.
package struct VideoConfiguration: Sendable, Hashable {
    package let codec: NALCodec
    /// By kind: VPS (H.265 only), SPS, PPS.
    package let parameterSets: [[[UInt8]]]
    /// In pixels, after cropping.
    package let width: Int
    package let height: Int
    let sampling: Sampling
    /// The sequence parameter set, with the emulation prevention bytes.
    let sequence: [UInt8]

    /// Nil while a set is missing, or where the sequence parameter set cannot be read.
    package init?(_ sets: ParameterSets) {
        let codec = sets.codec
        guard sets.isComplete, let sequence = sets.sets.dropLast().last?.last,
            let (format, sampling) = codec.read(parameterSet: sequence), let width = format.width,
            let height = format.height, max(width, height) <= UInt16.max
        else { return nil }
        (self.codec, parameterSets, self.sequence) = (codec, sets.sets, sequence)
        (self.width, self.height, self.sampling) = (width, height, sampling)
    }

    /// The type of a movie of this video, as browsers are asked whether they can play it (RFC 6381).
    package var mediaType: String { "video/mp4; codecs=\"\(codecs)\"" }

    private var codecs: String {
        switch codec {
        case .h264: "avc1." + sequence[1...3].map { $0.hex(digits: 2, uppercase: true) }.joined()
        case .h265: "hvc1." + tier
        }
    }

    /// Profile, tier and level (ISO/IEC 14496-15, annex E.3).
    private var tier: String {
        let bytes = profile
        let space = ["", "A", "B", "C"][Int(bytes[0] >> 6)]
        var (compatible, reversed): (UInt32, UInt32) = (UInt32(bigEndianBytes: bytes[1..<5]), 0)
        for _ in 0..<32 { (reversed, compatible) = (reversed << 1 | compatible & 1, compatible >> 1) }
        let level = (bytes[0] & 0x20 == 0 ? "L" : "H") + "\(bytes[11])"
        let constraints = bytes[5..<11].reversed().drop { $0 == 0 }.reversed()
        let parts = ["\(space)\(bytes[0] & 0x1f)", reversed.hex(digits: 1, uppercase: true), level]
        return (parts + constraints.map { $0.hex(digits: 1, uppercase: true) }).joined(separator: ".")
    }

    /// H.265's general profile, tier and level: 12 bytes (H.265, section 7.3.3).
    var profile: [UInt8] { Array(BitReader(sequence.dropFirst(2)).bytes[1..<13]) }
}
