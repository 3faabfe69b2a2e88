/// A track of an SDP with a codec that we know, and what its format parameters say.
package struct VideoTrack: Sendable, Hashable {
    package let codec: NALCodec
    package let payloadType: UInt8?
    /// Where SETUP goes, as the server wrote it.
    let control: String?
    /// The parameter sets of `sprop-…`, decoded: for H.265 a VPS, then SPS and PPS.
    package let parameterSets: [[UInt8]]

    /// What `media` says of one of its formats (RFC 6184, section 8.2.1; RFC 7798, section 7.1).
    init(_ media: SessionDescription.Media, format: String, codec: NALCodec) {
        self.codec = codec
        payloadType = ASCII.number(format).flatMap { $0 < 128 ? UInt8($0) : nil }
        control = media.control
        let parameters = media.values(of: .fmtp)[format[...], default: []].flatMap { ASCII.parameters($0) }
        let names = codec == .h264 ? ["sprop-parameter-sets"] : ["sprop-vps", "sprop-sps", "sprop-pps"]
        // Not in the order of the line: servers sort it by name, and a set refers to those of the kinds before its own.
        parameterSets = names.flatMap { name in parameters.filter { $0.name == name } }
            .flatMap { ASCII.split($0.value, at: ASCII.comma) }
            .compactMap { Base64.decode(ASCII.trimmed($0)) }
            .flatMap(AnnexB.units)
    }

    /// The picture's format as far as the description tells it.
    var format: VideoFormat {
        parameterSets.lazy.compactMap { codec.read(parameterSet: $0)?.format }.first ?? VideoFormat(codec: codec.name)
    }
}
