/// A NAL unit, or a piece of one, out of an RTP payload.
struct NALFragment: Sendable, Hashable {
    /// What a unit means to the search for a key frame.
    enum Kind: Sendable, Hashable {
        /// A slice of a picture that needs no other.
        case keySlice
        case otherSlice
        case sequenceParameters
        /// Anything else: other parameter sets, delimiters, messages.
        case other
    }

    let kind: Kind
    /// Whether the unit begins with this piece.
    let isStart: Bool
    /// Whether the unit ends with this piece.
    let isEnd: Bool
    /// Whether the slice is the first of its picture; only with ``isStart``.
    let beginsPicture: Bool
    /// What it holds of a sequence parameter set, the unit's header included; nil for other units.
    let parameters: [UInt8]?

    /// The units of a payload (RFC 6184, section 5.2; RFC 7798, section 4.4); empty for what cannot be read.
    static func all(in payload: ArraySlice<UInt8>, codec: NALCodec) -> [Self] {
        let bytes = Array(payload)
        let headerSize = codec.unitHeaderSize
        guard bytes.count > headerSize else { return [] }
        let type = codec.unitType(bytes[0])
        if type == codec.aggregationType { return aggregated(bytes, codec: codec) }
        guard type == codec.fragmentType else { return whole(bytes, codec: codec).map { [$0] } ?? [] }
        guard bytes.count > headerSize + 1 else { return [] }
        let header = bytes[headerSize]
        let kind = codec.kind(ofUnit: header & codec.fragmentTypeMask)
        let isStart = header & 0x80 != 0
        // Both codecs begin a slice's header with a value that is the bit 1 for a picture's first slice.
        let first = isStart && bytes[headerSize + 1] & 0x80 != 0
        let unitHeader = isStart ? codec.unitHeader(bytes, type: header & codec.fragmentTypeMask) : []
        let parameters = kind == .sequenceParameters ? unitHeader + bytes.dropFirst(headerSize + 1) : nil
        return [
            Self(
                kind: kind,
                isStart: isStart,
                isEnd: header & 0x40 != 0,
                beginsPicture: first,
                parameters: parameters
            )
        ]
    }

    private static func whole(_ unit: [UInt8], codec: NALCodec) -> Self? {
        guard unit.count > codec.unitHeaderSize else { return nil }
        let kind = codec.kind(ofUnit: codec.unitType(unit[0]))
        return Self(
            kind: kind,
            isStart: true,
            isEnd: true,
            beginsPicture: unit[codec.unitHeaderSize] & 0x80 != 0,
            parameters: kind == .sequenceParameters ? unit : nil
        )
    }

    private static func aggregated(_ bytes: [UInt8], codec: NALCodec) -> [Self] {
        var fragments: [Self] = []
        var position = codec.unitHeaderSize
        while position + 2 <= bytes.count {
            let size = Int(bytes[position]) << 8 | Int(bytes[position + 1])
            position += 2
            guard size > 0, position + size <= bytes.count else { break }
            if let unit = whole(Array(bytes[position..<position + size]), codec: codec) { fragments.append(unit) }
            position += size
        }
        return fragments
    }
}
