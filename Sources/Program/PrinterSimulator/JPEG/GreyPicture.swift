/// A JPEG picture of one grey (ITU-T T.81), small enough to be made instead of kept.
enum GreyPicture {
    /// The picture that the simulated camera sends, of the size of a real one's.
    static let usual = make(width: 1280, height: 720)

    /// A baseline picture whose sides are multiples of 8.
    static func make(width: Int, height: Int) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xd8]
        bytes += segment(0xe0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        bytes += segment(0xdb, [0] + [UInt8](repeating: 1, count: 64))
        bytes += segment(0xc0, [8] + word(height) + word(width) + [1, 1, 0x11, 0])
        // Two tables with one code each, the bit 0: "no difference" and "end of block".
        let onlyCode: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
        bytes += segment(0xc4, [0x00] + onlyCode) + segment(0xc4, [0x10] + onlyCode)
        bytes += segment(0xda, [1, 1, 0x00, 0, 63, 0])
        // Two bits for each block; the last byte is filled with ones.
        let bits = width / 8 * (height / 8) * 2
        bytes += [UInt8](repeating: 0, count: bits / 8)
        if bits % 8 > 0 { bytes.append(0xff >> UInt8(bits % 8)) }
        return bytes + [0xff, 0xd9]
    }

    private static func segment(_ code: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xff, code] + word(payload.count + 2) + payload
    }

    private static func word(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xff), UInt8(number & 0xff)] }
}
