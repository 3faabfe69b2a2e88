import CameraProtocols

/// A JPEG picture whose lowest row of blocks shows a stamp: 80 blocks of 16 × 16 pixels, white for a bit of 1.
///
/// Each row of blocks is decoded by itself, so this one can be replaced; see Resources/make-picture.sh.
struct JPEGStamp: Sendable {
    static let embedded = JPEGStamp(PackageResources.picture_jpg)

    private static let (black, white) = (-112, 107)

    /// The file up to the lowest row.
    private let head: [UInt8]

    init(_ file: [UInt8]) {
        let marker = file.indices.dropLast().last { file[$0] == 0xff && (0xd0...0xd7).contains(file[$0 + 1]) }
        head = Array(file[...((marker ?? 0) + 1)])
    }

    func picture(_ stamp: PictureStamp) -> [UInt8] {
        var bits = BitWriter()
        var before = 0
        for byte in stamp.bytes {
            for bit in (0..<8).reversed() {
                let value = byte >> bit & 1 == 1 ? Self.white : Self.black
                // Four blocks of brightness, whose first coefficient is the difference to the block before; the rest is zero.
                for _ in 0..<4 {
                    Self.write(value - before, to: &bits)
                    before = value
                    bits.write(0b1010, 4)
                }
                // Two of colour: no difference, and no more.
                for _ in 0..<2 { bits.write(0b0000, 4) }
            }
        }
        bits.fill(1)
        return head + bits.bytes.flatMap { $0 == 0xff ? [$0, 0] : [$0] } + [0xff, 0xd9]
    }

    /// Writes a difference of first coefficients by the usual table (ITU-T T.81, tables F.1 and K.3).
    private static func write(_ difference: Int, to bits: inout BitWriter) {
        let codes = [(0b00, 2), (0b010, 3), (0b011, 3), (0b100, 3), (0b101, 3), (0b110, 3), (0b1110, 4), (0b11110, 5)]
        let category = Int.bitWidth - abs(difference).leadingZeroBitCount
        let (code, length) = category < codes.count ? codes[category] : ((1 << (category - 2)) - 2, category - 2)
        bits.write(code, length)
        bits.write(difference < 0 ? difference + (1 << category) - 1 : difference, category)
    }
}
