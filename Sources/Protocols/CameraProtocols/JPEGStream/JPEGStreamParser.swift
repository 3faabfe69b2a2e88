/// Reads frames: a header of 16 bytes, then as many bytes of JPEG as it says.
struct JPEGStreamParser: StreamParser {
    enum Message: Sendable, Hashable {
        /// A header and the first bytes of a picture; the rest is on its way.
        case pictureBegins
        case other(type: UInt32)
        case picture(width: Int, height: Int, bytes: [UInt8])
    }

    static let headerSize = 16

    private var bytes: [UInt8] = []
    /// The length of the picture whose header has been read.
    private var length: Int?
    private var hasBegun = false

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
        // Other services have such headers, too: only the start marker shows that this is a picture (B.1.1.3).
        guard bytes.count >= (hasBegun ? length : 2) else { return nil }
        guard bytes.starts(with: [0xff, 0xd8]) else { throw MessageParseError("a frame that is no JPEG picture") }
        guard hasBegun else {
            hasBegun = true
            return .pictureBegins
        }
        var scanner = JPEGScanner()
        guard scanner.scan(bytes[..<length]), let size = scanner.size else {
            throw MessageParseError("a JPEG picture without a size")
        }
        let rest = Array(bytes[length...])
        bytes.removeSubrange(length...)
        defer { (bytes, self.length) = (rest, nil) }
        return .picture(width: size.width, height: size.height, bytes: bytes)
    }

    private func word(_ offset: Int) -> UInt32 {
        UInt32(bigEndianBytes: bytes[offset..<offset + 4].reversed())
    }
}
