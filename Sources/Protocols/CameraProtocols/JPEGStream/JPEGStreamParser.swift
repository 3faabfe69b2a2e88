import Platform

/// Reads frames: a header of 16 bytes, then as many bytes of JPEG as it says.
///
/// Working cameras send a damaged picture now and then. After a whole picture, a few damaged ones in a row are skipped.
struct JPEGStreamParser: StreamParser {
    enum Message: Sendable, Hashable {
        /// A header and the first bytes of a picture; it may turn out to be damaged, and then another one begins.
        case pictureBegins
        case other(type: UInt32)
        case picture(VideoFormat, [UInt8])
    }

    static let headerSize = 16
    /// How many pictures in a row may be damaged after a whole one.
    private static let damageLimit = 10

    private var bytes: [UInt8] = []
    /// The length of the picture whose header has been read.
    private var length: Int?
    private var hasBegun = false
    /// How many damaged pictures are skipped before the next whole one.
    private var skipsLeft = 0

    /// The probe has no use for a part of a frame.
    var unfinished: Message? { nil }

    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    mutating func next() throws(MessageParseError) -> Message? {
        guard let length else {
            guard bytes.count >= Self.headerSize else { return nil }
            let (length, type) = (Int(word(0)), word(4))
            bytes.removeFirst(Self.headerSize)
            // A picture has at least the two bytes of its start marker.
            guard ((type == 0 ? 2 : 0)...CodedPicture.byteLimit).contains(length) else {
                throw MessageParseError("a frame of \(length) bytes: the server does not send JPEG frames here")
            }
            // The conversation ends with a message of another type, so its payload is not read.
            guard type == 0 else { return .other(type: type) }
            (self.length, hasBegun) = (length, false)
            // Growing step by step would leave memory in pieces.
            bytes.reserveCapacity(length)
            return try next()
        }
        guard bytes.count >= (hasBegun ? length : 2) else { return nil }
        // Other services have such headers, too: only the start marker shows that this is a picture (B.1.1.3).
        let isMarked = bytes.starts(with: [0xff, 0xd8])
        var scanner = JPEGScanner()
        let isWhole = isMarked && (!hasBegun || scanner.scan(bytes[..<length]) && scanner.format != nil)
        guard isWhole || skipsLeft > 0 else {
            throw MessageParseError(isMarked ? "a JPEG picture without a size" : "a frame that is no JPEG picture")
        }
        guard hasBegun else {
            hasBegun = true
            return .pictureBegins
        }
        let rest = Array(bytes[length...])
        bytes.removeSubrange(length...)
        let picture = bytes
        (bytes, self.length) = (rest, nil)
        guard let format = scanner.format else {
            skipsLeft -= 1
            return try next()
        }
        skipsLeft = Self.damageLimit
        return .picture(format, picture)
    }

    private func word(_ offset: Int) -> UInt32 {
        UInt32(bigEndianBytes: bytes[offset..<offset + 4].reversed())
    }
}
