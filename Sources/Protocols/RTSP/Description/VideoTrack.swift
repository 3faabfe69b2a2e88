/// A track of an SDP with a codec that we know, and what its format parameters say.
struct VideoTrack: Sendable, Hashable {
    let codec: NALCodec
    /// The RTP payload type.
    let payloadType: UInt8?
    /// Where SETUP goes, as the server wrote it.
    let control: String?
    /// The parameter sets of `sprop-…`, decoded: SPS and PPS, for H.265 a VPS as well.
    let parameterSets: [[UInt8]]
    /// Whether the units tell their decoding order (RFC 7798, section 4.4).
    let isNumbered: Bool
    private let profileLevel: Substring?

    /// What `media` says of one of its formats (RFC 6184, section 8.2.1; RFC 7798, section 7.1).
    init(_ media: SessionDescription.Media, format: String, codec: NALCodec) {
        self.codec = codec
        payloadType = ASCII.number(format).flatMap { $0 < 128 ? UInt8($0) : nil }
        control = media.control
        let parameters = media.values(of: .fmtp)[format[...], default: []].flatMap(Self.parameters)
        let names = codec == .h264 ? ["sprop-parameter-sets"] : ["sprop-vps", "sprop-sps", "sprop-pps"]
        parameterSets = parameters.filter { names.contains($0.name) }
            .flatMap { ASCII.split($0.value, at: ASCII.comma) }
            .compactMap { Base64.decode(ASCII.trimmed($0)) }
            .flatMap(AnnexB.units)
        let distance = parameters.last { $0.name == "sprop-max-don-diff" }.flatMap { ASCII.number($0.value) } ?? 0
        isNumbered = codec == .h265 && distance > 0
        profileLevel = parameters.last { $0.name == "profile-level-id" }?.value
    }

    /// `name=value` pairs, the names in lower case, the values without the quotes that some servers put around them.
    private static func parameters(_ text: Substring) -> [(name: String, value: Substring)] {
        ASCII.split(text, at: ASCII.semicolon).compactMap { part in
            let pair = ASCII.split(part, at: ASCII.equals, maxSplits: 1, omittingEmpty: false)
            return pair.count == 2 ? (ASCII.trimmed(pair[0]).lowercased(), ASCII.unquoted(pair[1])) : nil
        }
    }

    /// The picture's format as far as the description tells it.
    var format: VideoFormat {
        if let format = parameterSets.lazy.compactMap({ codec.format(ofParameterSet: $0) }).first { return format }
        guard codec == .h264, let digits = profileLevel?.prefix(4), digits.count == 4,
            let bits = UInt16(digits, radix: 16)
        else { return VideoFormat(codec: codec.name) }
        let profile = H264SequenceParameters.profileName(UInt8(bits >> 8), constraints: UInt8(bits & 0xff))
        return VideoFormat(codec: codec.name, profile: profile)
    }
}
