import Platform

/// Finds the size of a JPEG picture (ITU-T T.81, annex B) whose bytes come in pieces, and if asked for its end.
struct JPEGScanner: Sendable, Hashable {
    /// With the size, once that is known.
    private(set) var format: VideoFormat?
    /// How many bytes the picture has.
    private(set) var length: Int?
    /// Where the next marker is looked for, or could not be read; first behind the start of the image.
    private(set) var next = 2
    /// Whether the headers have ended and the image data has begun.
    private(set) var isInScan = false
    private let findsEnd: Bool

    init(findsEnd: Bool = false) { self.findsEnd = findsEnd }

    /// Goes on through a picture of which `bytes` have come so far; false if it is no JPEG.
    mutating func scan(_ bytes: ArraySlice<UInt8>) -> Bool {
        while findsEnd ? length == nil : format == nil, next + 1 < bytes.count {
            let marker = bytes.startIndex + next
            guard bytes[marker] == 0xff else {
                guard isInScan else { return false }
                next = (bytes[marker...].firstIndex(of: 0xff) ?? bytes.endIndex) - bytes.startIndex
                continue
            }
            switch bytes[marker + 1] {
            case 0xff: next += 1  // A fill byte (B.1.1.2).
            case 0x01, 0xd0...0xd7: next += 2  // Markers without a segment.
            case 0x00 where isInScan: next += 2  // Data of the picture.
            case 0xd9 where isInScan:
                next += 2
                length = next
            case 0x00, 0xd8, 0xd9: return false  // Data, or an end, before the size; or another picture.
            case let code:
                guard next + 3 < bytes.count else { return true }
                let length = Int(bigEndianBytes: bytes[marker + 2..<marker + 4])
                guard length >= 2, code != 0xda || format != nil else { return false }
                if format == nil, (0xc0...0xcf).contains(code), ![0xc4, 0xc8, 0xcc].contains(code) {
                    guard length >= 8 else { return false }
                    guard next + 8 < bytes.count else { return true }
                    let height = Int(bigEndianBytes: bytes[marker + 5..<marker + 7])
                    let width = Int(bigEndianBytes: bytes[marker + 7..<marker + 9])
                    // A height of 0 means that it follows the first scan (DNL), which no camera does.
                    guard width > 0, height > 0 else { return false }
                    format = VideoFormat(codec: .mjpeg, width: width, height: height)
                }
                isInScan = isInScan || code == 0xda
                next += 2 + length
            }
        }
        return true
    }
}
