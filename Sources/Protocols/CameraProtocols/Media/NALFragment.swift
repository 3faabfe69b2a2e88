import Platform

/// A NAL unit, or a piece of one, out of an RTP payload.
package struct NALFragment: Sendable, Hashable {
    /// What a unit means to the search for a key frame.
    package enum Kind: Sendable, Hashable {
        /// A slice of a picture that needs no other.
        case keySlice
        case otherSlice
        case sequenceParameters
        /// Any other parameter set that a decoder needs.
        case otherParameters
        /// Anything else: delimiters, messages.
        case other
    }

    /// What begins with this piece; nil when it goes on with a unit.
    package let kind: Kind?
    package let isEnd: Bool
    /// Whether it begins a slice that is the first of its picture.
    package let beginsPicture: Bool
    /// The piece, with the unit's header where it begins.
    package let bytes: ArraySlice<UInt8>

    /// The units of a payload (RFC 6184, section 5.2; RFC 7798, section 4.4).
    ///
    /// None for a payload that cannot be read. Units must come in their decoding order, without numbers (DONL).
    package static func all(in payload: ArraySlice<UInt8>, codec: NALCodec) -> [Self] {
        let rest = payload.dropFirst(codec.unitHeaderSize)
        guard let first = payload.first, let header = rest.first else { return [] }
        switch codec.unitType(first) {
        case codec.aggregationType:
            return aggregated(rest).flatMap { pieces(of: $0, isStart: true, isEnd: true, codec: codec) }
        case codec.fragmentType:
            let isStart = header & 0x80 != 0
            let unitHeader = isStart ? codec.unitHeader(payload, type: header & codec.fragmentTypeMask) : []
            let unit = unitHeader + rest.dropFirst()
            return pieces(of: unit, isStart: isStart, isEnd: header & 0x40 != 0, codec: codec)
        default: return pieces(of: payload, isStart: true, isEnd: true, codec: codec)
        }
    }

    /// One piece, or several where start codes are in it.
    private static func pieces(
        of bytes: ArraySlice<UInt8>,
        isStart: Bool,
        isEnd: Bool,
        codec: NALCodec
    ) -> [Self] {
        let parts = AnnexB.split(bytes)
        return parts.enumerated().compactMap { index, part in
            Self(part, isStart: isStart || index > 0, isEnd: isEnd || index < parts.count - 1, codec: codec)
        }
    }

    /// Nil for a beginning without content.
    private init?(_ bytes: ArraySlice<UInt8>, isStart: Bool, isEnd: Bool, codec: NALCodec) {
        (self.bytes, self.isEnd) = (bytes, isEnd)
        guard isStart else {
            (kind, beginsPicture) = (nil, false)
            return
        }
        // A start code at the end of a fragment.
        if bytes.isEmpty, !isEnd {
            (kind, beginsPicture) = (.other, false)
            return
        }
        guard let first = bytes.first, let content = bytes.dropFirst(codec.unitHeaderSize).first else { return nil }
        kind = codec.kind(ofUnit: codec.unitType(first))
        // Both codecs begin a slice's header with a value that is the bit 1 for a picture's first slice.
        beginsPicture = content & 0x80 != 0
    }

    /// This piece, where the unit that it seems to go on with has no content before it.
    package func begun(in codec: NALCodec) -> Self? { Self(bytes, isStart: true, isEnd: isEnd, codec: codec) }

    private static func aggregated(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var (units, rest) = ([ArraySlice<UInt8>](), bytes)
        while true {
            guard rest.count >= 2 else { return units }
            let size = Int(bigEndianBytes: rest.prefix(2))
            rest = rest.dropFirst(2)
            guard size <= rest.count else { return units }
            units.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
    }
}
