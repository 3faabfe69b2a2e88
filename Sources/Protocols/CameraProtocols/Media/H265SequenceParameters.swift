/// Reads an H.265 sequence parameter set (H.265, section 7.3.2.2.1).
enum H265SequenceParameters {
    /// Nil for another unit, a cut one, or an impossible size.
    static func read(_ unit: [UInt8]) -> (format: VideoFormat, sampling: Sampling)? {
        guard unit.count > 2, unit[0] >> 1 & 0x3f == 33 else { return nil }
        var reader = BitReader(unit.dropFirst(2))
        guard reader.skip(4) != nil, let subLayers = reader.bits(3), reader.skip(1 + 8 + 32 + 48 + 8) != nil,
            skipSubLayers(&reader, count: subLayers) != nil, reader.unsigned() != nil,
            let chroma = reader.unsigned(), chroma <= 3, chroma != 3 || reader.skip(1) != nil,
            let codedWidth = reader.unsigned(), let codedHeight = reader.unsigned(), codedWidth <= 65_536,
            codedHeight <= 65_536,
            let (width, height) = reader.cropped(width: codedWidth, height: codedHeight, chroma: chroma),
            let luma = reader.unsigned(), let depth = reader.unsigned(), max(luma, depth) <= 8
        else { return nil }
        let sampling = Sampling(chroma: chroma, lumaDepth: luma, chromaDepth: depth)
        return (VideoFormat(codec: .h265, width: width, height: height), sampling)
    }

    private static func skipSubLayers(_ reader: inout BitReader, count: Int) -> Void? {
        guard count > 0 else { return () }
        var bits = 0
        for _ in 0..<count {
            guard let hasProfile = reader.flag(), let hasLevel = reader.flag() else { return nil }
            bits += (hasProfile ? 88 : 0) + (hasLevel ? 8 : 0)
        }
        return reader.skip((8 - count) * 2 + bits)
    }
}
