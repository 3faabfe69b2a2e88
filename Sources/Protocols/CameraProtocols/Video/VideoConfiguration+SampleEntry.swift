extension VideoConfiguration {
    /// How the pictures of a movie are coded (ISO/IEC 14496-15, sections 5.4.2 and 8.4.1).
    var sampleEntry: [UInt8] {
        let picture = pictureEntry(UInt16(width), UInt16(height))
        return codec == .h264
            ? box("avc1", picture, box("avcC", decoderRecord264)) : box("hvc1", picture, box("hvcC", decoderRecord265))
    }

    private var decoderRecord264: [UInt8] {
        let (sequences, pictures) = (parameterSets[0], parameterSets[1])
        var record = [1] + sequence[1...3] + [0xff, 0xe0 | UInt8(sequences.count)] + Self.list(sequences)
        record += [UInt8(pictures.count)] + Self.list(pictures)
        // Only the profiles High, High 10, High 4:2:2 and High 4:4:4.
        if [100, 110, 122, 144].contains(sequence[1]) {
            record += samples + [0]
        }
        return record
    }

    private var decoderRecord265: [UInt8] {
        // The highest number of a layer of time, and whether the layers are nested.
        let layers = BitReader(sequence.dropFirst(2)).bytes[0]
        var record = [1] + profile + shorts(0xf000) + [0xfc] + samples + shorts(0)
        record += [((layers >> 1 & 7) + 1) << 3 | (layers & 1) << 2 | 3, UInt8(parameterSets.count)]
        for (type, sets) in zip(UInt8(32)..., parameterSets) {
            record += [0x80 | type] + shorts(UInt16(sets.count)) + Self.list(sets)
        }
        return record
    }

    private var samples: [UInt8] {
        [0xfc | UInt8(sampling.chroma), 0xf8 | UInt8(sampling.lumaDepth), 0xf8 | UInt8(sampling.chromaDepth)]
    }

    private static func list(_ sets: [[UInt8]]) -> [UInt8] { sets.flatMap { shorts(UInt16($0.count)) + $0 } }
}

/// The description of JPEG pictures, which have their sizes themselves.
let jpegEntry = box("jpeg", pictureEntry(0, 0))

/// What the description of coded pictures begins with (ISO/IEC 14496-12, section 12.1.3).
private func pictureEntry(_ width: UInt16, _ height: UInt16) -> [UInt8] {
    let resolution = longs(0x48_0000, 0x48_0000, 0) + shorts(1)
    return zeros(6) + shorts(1) + zeros(16) + shorts(width, height) + resolution + zeros(32) + shorts(24, 0xffff)
}
