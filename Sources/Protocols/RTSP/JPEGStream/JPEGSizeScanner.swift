/// Finds the size of a JPEG picture (ITU-T T.81, annex B) whose bytes come in pieces.
struct JPEGSizeScanner: Sendable, Hashable {
    struct Size: Sendable, Hashable {
        var width: Int
        var height: Int
    }

    private(set) var size: Size?
    /// Where the next marker begins: first behind the start of the image.
    private var next = 2

    /// Goes on through a picture of which `bytes` have come so far; false if it is no JPEG.
    mutating func scan(_ bytes: [UInt8]) -> Bool {
        while size == nil, next + 1 < bytes.count {
            guard bytes[next] == 0xff else { return false }
            switch bytes[next + 1] {
            case 0xff: next += 1  // A fill byte (B.1.1.2).
            case 0x01, 0xd0...0xd7: next += 2  // Markers without a segment.
            case 0x00, 0xd8, 0xd9, 0xda: return false  // Data, or an end, before the size.
            case let code:
                guard next + 3 < bytes.count else { return true }
                let length = Self.number(bytes, at: next + 2)
                guard length >= 2 else { return false }
                guard (0xc0...0xcf).contains(code), ![0xc4, 0xc8, 0xcc].contains(code) else {
                    next += 2 + length
                    continue
                }
                guard length >= 8 else { return false }
                guard next + 8 < bytes.count else { return true }
                let (height, width) = (Self.number(bytes, at: next + 5), Self.number(bytes, at: next + 7))
                // A height of 0 means that it follows the first scan (DNL), which no camera does.
                guard width > 0, height > 0 else { return false }
                size = Size(width: width, height: height)
            }
        }
        return true
    }

    private static func number(_ bytes: [UInt8], at index: Int) -> Int {
        Int(bytes[index]) << 8 | Int(bytes[index + 1])
    }
}
