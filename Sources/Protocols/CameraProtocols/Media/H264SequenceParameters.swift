/// Reads an H.264 sequence parameter set (H.264, section 7.3.2.1.1).
package enum H264SequenceParameters {
    /// Profiles whose sets carry the chroma format and perhaps scaling lists.
    private static let highProfiles: Set<Int> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    /// Nil for another unit, a cut one, or an impossible size.
    static func read(_ unit: [UInt8]) -> (format: VideoFormat, sampling: Sampling)? {
        guard let header = unit.first, header & 0x9f == 7 else { return nil }
        var reader = BitReader(unit.dropFirst())
        return read(&reader)
    }

    /// Reads up to the flag that says whether a set has usability information (VUI).
    static func read(_ reader: inout BitReader) -> (format: VideoFormat, sampling: Sampling)? {
        guard let sampling = readSampling(&reader) else { return nil }
        guard reader.unsigned() != nil, skipPictureOrder(&reader) != nil, reader.unsigned() != nil,
            reader.skip(1) != nil, let columns = reader.unsigned(), let rows = reader.unsigned(),
            let framesOnly = reader.flag(), framesOnly || reader.skip(1) != nil, reader.skip(1) != nil,
            columns < 4096, rows < 4096
        else { return nil }
        let fields = framesOnly ? 1 : 2
        let size = reader.cropped(
            width: (columns + 1) * 16,
            height: (rows + 1) * 16 * fields,
            chroma: sampling.chroma,
            fields: fields
        )
        return size.map { (VideoFormat(codec: .h264, width: $0, height: $1), sampling) }
    }

    /// Reads what comes before the numbers of pictures.
    private static func readSampling(_ reader: inout BitReader) -> Sampling? {
        guard let profile = reader.bits(8), reader.skip(16) != nil, reader.unsigned() != nil else { return nil }
        guard highProfiles.contains(profile) else { return Sampling() }
        guard let chroma = reader.unsigned(), chroma <= 3, chroma != 3 || reader.skip(1) != nil,
            let luma = reader.unsigned(), let depth = reader.unsigned(), max(luma, depth) <= 6,
            reader.skip(1) != nil, let hasLists = reader.flag()
        else { return nil }
        for list in 0..<(hasLists ? chroma == 3 ? 12 : 8 : 0) {
            guard let present = reader.flag() else { return nil }
            if present, skipScalingList(&reader, size: list < 6 ? 16 : 64) == nil { return nil }
        }
        return Sampling(chroma: chroma, lumaDepth: luma, chromaDepth: depth)
    }

    private static func skipScalingList(_ reader: inout BitReader, size: Int) -> Void? {
        var (last, next) = (8, 8)
        for _ in 0..<size {
            if next != 0 {
                guard let delta = reader.signed(), abs(delta) <= 128 else { return nil }
                next = (last + delta + 256) % 256
            }
            if next != 0 { last = next }
        }
        return ()
    }

    private static func skipPictureOrder(_ reader: inout BitReader) -> Void? {
        guard let type = reader.unsigned() else { return nil }
        switch type {
        case 0: return reader.unsigned().map { _ in }
        case 1:
            guard reader.skip(1) != nil, reader.signed() != nil, reader.signed() != nil, let count = reader.unsigned(),
                count <= 255
            else { return nil }
            for _ in 0..<count where reader.signed() == nil { return nil }
            return ()
        case 2: return ()
        default: return nil
        }
    }
}
