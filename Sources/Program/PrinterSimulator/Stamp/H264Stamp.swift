import CameraProtocols

/// A slice of H.264 that shows a stamp: 20 blocks of 16 × 16 pixels, of which each has one of 16 levels of brightness.
///
/// It takes the place of the second slice of a frame of ``H264Clip``, the lowest row of blocks; see Resources/make-clip.sh.
enum H264Stamp {
    /// What the clip's parameter sets say.
    private static let (frameNumberBits, quantizer) = (5, 34)
    /// The coarsest quantizer: a level of 1 is a step of 14.
    private static let coarsest = 51

    static func paint(_ stamp: PictureStamp, into frame: H264Clip.Frame) -> H264Clip.Frame {
        guard let slice = frame.units.last, let stamped = self.slice(stamp, like: slice) else { return frame }
        return H264Clip.Frame(units: frame.units.dropLast() + [stamped])
    }

    private static func slice(_ stamp: PictureStamp, like slice: [UInt8]) -> [UInt8]? {
        var reader = BitReader(slice[1...])
        let isKey = slice[0] & 31 == 5
        guard let firstBlock = reader.unsigned(), let kind = reader.unsigned(), let set = reader.unsigned(),
            let frameNumber = reader.bits(frameNumberBits), let picture = isKey ? reader.unsigned() : 0
        else { return nil }
        var bits = BitWriter()
        for value in [firstBlock, kind, set] { bits.writeCode(value) }
        bits.write(frameNumber, frameNumberBits)
        if isKey {
            bits.writeCode(picture)
            // No output of prior pictures, no long-term reference.
            bits.write(0b00, 2)
        } else {
            // One reference, in the usual order, and no other marking.
            bits.write(0b1100, 4)
        }
        bits.writeCode(2 * (coarsest - quantizer) - 1)
        // No deblocking.
        bits.writeCode(1)
        var before = 8
        for byte in stamp.bytes {
            for level in [Int(byte >> 4), Int(byte & 15)] {
                // No block is skipped; 16 × 16 pixels predicted by the mean of the block before.
                if !isKey { bits.writeCode(0) }
                bits.writeCode(isKey ? 3 : 8)
                // Colour by the mean, too; the same quantizer.
                bits.write(0b11, 2)
                write(level - before, to: &bits)
                before = level
            }
        }
        return [slice[0]] + bits.unit
    }

    /// The one coefficient of a block (H.264, section 9.2).
    private static func write(_ level: Int, to bits: inout BitWriter) {
        switch abs(level) {
        case 0: return bits.write(0b1, 1)
        case 1: bits.write(level > 0 ? 0b010 : 0b011, 3)
        default:
            bits.write(0b000101, 6)
            let code = 2 * abs(level) - 4 + (level < 0 ? 1 : 0)
            bits.write(1, min(code, 14) + 1)
            if code >= 14 { bits.write(code - 14, 4) }
        }
        // No zeros before it.
        bits.write(0b1, 1)
    }
}
