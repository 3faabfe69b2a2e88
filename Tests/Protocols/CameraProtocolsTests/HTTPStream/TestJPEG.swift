/// A JPEG of grey noise (ITU-T T.81), as small as a test wants it; nobody decodes it.
enum TestJPEG {
    /// A picture with `number` as the first byte of its scan, to tell it from others, and with `segments` before its size.
    static func picture(
        _ number: UInt8 = 1,
        width: Int = 64,
        height: Int = 48,
        data: Int = 40,
        segments: [UInt8] = segment(0xe0, Array("JFIF\0".utf8)),
        frame code: UInt8 = 0xc0
    ) -> [UInt8] {
        let frame = segment(code, [8] + word(height) + word(width) + [1, 1, 0x11, 0])
        let scan = segment(0xda, [1, 1, 0, 0, 63, 0]) + [number] + [UInt8](repeating: 0x5a, count: data)
        // A stuffed 0xff, and a restart marker, neither of which ends the scan.
        return [0xff, 0xd8] + segments + frame + scan + [0xff, 0, 0xff, 0xd0, 1, 0xff, 0xd9]
    }

    static func segment(_ code: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xff, code] + word(payload.count + 2) + payload
    }

    private static func word(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xff), UInt8(number & 0xff)] }
}
