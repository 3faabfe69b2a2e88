extension H264SequenceParameters {
    /// The parameter set with a frame rate added; nil if it has one already, or cannot be read (H.264, annex E.1.1).
    ///
    /// Without a frame rate ffmpeg guesses it from the first timestamps, and may find 90,000 pictures a second. The
    /// added rate is 30, and not fixed: players go by the timestamps then.
    package static func addingTiming(to unit: [UInt8]) -> [UInt8]? {
        guard let header = unit.first, header & 0x9f == 7 else { return nil }
        var reader = BitReader(unit.dropFirst())
        guard read(&reader) != nil else { return nil }
        var writer = BitWriter()
        writer.copy(reader.bytes, from: 0, to: reader.position)
        guard let hasUsability = reader.flag() else { return nil }
        writer.write(1, 1)
        if hasUsability {
            let start = reader.position
            guard skipToTiming(&reader) != nil else { return nil }
            writer.copy(reader.bytes, from: start, to: reader.position)
            guard reader.flag() == false, let end = lastBit(of: reader.bytes), reader.position <= end else {
                return nil
            }
            writeTiming(&writer)
            writer.copy(reader.bytes, from: reader.position, to: end)
        } else {
            // No aspect ratio, overscan, signal type or chroma location; then no buffer model or restriction.
            writer.write(0, 4)
            writeTiming(&writer)
            writer.write(0, 4)
        }
        return [header] + writer.unit
    }

    private static func writeTiming(_ writer: inout BitWriter) {
        writer.write(1, 1)
        writer.write(1, 32)  // num_units_in_tick
        writer.write(60, 32)  // time_scale; a picture has two ticks
        writer.write(0, 1)  // fixed_frame_rate_flag
    }

    private static func skipToTiming(_ reader: inout BitReader) -> Void? {
        guard let hasAspectRatio = reader.flag() else { return nil }
        if hasAspectRatio {
            guard let ratio = reader.bits(8), ratio != 255 || reader.skip(32) != nil else { return nil }
        }
        guard let hasOverscan = reader.flag(), !hasOverscan || reader.skip(1) != nil,
            let hasSignalType = reader.flag()
        else { return nil }
        if hasSignalType {
            guard reader.skip(4) != nil, let hasColour = reader.flag(), !hasColour || reader.skip(24) != nil
            else { return nil }
        }
        guard let hasChromaLocation = reader.flag() else { return nil }
        if hasChromaLocation, reader.unsigned() == nil || reader.unsigned() == nil { return nil }
        return ()
    }

    /// Where the bit is that ends a set (H.264, section 7.3.2.11).
    private static func lastBit(of bytes: [UInt8]) -> Int? {
        bytes.lastIndex { $0 != 0 }.map { $0 * 8 + 7 - bytes[$0].trailingZeroBitCount }
    }
}
