/// Reads frames: a header of 16 bytes, then as many bytes of JPEG as it says.
///
/// A picture's bytes are kept until its size is found, and all of them only if they are asked for.
struct JPEGStreamParser: StreamParser {
    enum Message: Sendable, Hashable {
        /// A header and the first bytes of a picture; the rest is on its way.
        case pictureBegins
        case other(type: UInt32)
        /// A whole picture; its bytes only if they were asked for.
        case picture(width: Int, height: Int, bytes: [UInt8] = [])
    }

    struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
        let description: String
    }

    static let headerSize = 16
    /// The most bytes of a picture; cameras send about a tenth of a megabyte.
    static let largestPicture = 8 << 20

    private enum State {
        case header
        /// The header of a picture has been read, and not its first bytes.
        case begin(left: Int)
        case picture(left: Int, JPEGScanner)
        case failed(ParseError)
    }

    private var state = State.header
    private var bytes: [UInt8] = []
    private var position = 0
    private let keepsPictures: Bool
    private var kept: [UInt8] = []

    /// The probe has no use for a part of a frame.
    var unfinished: Message? { nil }

    /// - Parameter keepsPictures: Whether messages hold the bytes of a picture.
    init(keepsPictures: Bool = false) { self.keepsPictures = keepsPictures }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes.removeFirst(position)
        position = 0
        bytes.append(contentsOf: more)
    }

    mutating func next() throws(ParseError) -> Message? {
        switch state {
        case .failed(let error): throw error
        case .header:
            guard bytes.count - position >= Self.headerSize else { return nil }
            let length = Int(word(0))
            let type = word(4)
            position += Self.headerSize
            // A picture has at least the two bytes of its start marker.
            guard ((type == 0 ? 2 : 0)...Self.largestPicture).contains(length) else {
                throw fail("a frame of \(length) bytes: the server does not send JPEG frames here")
            }
            // The conversation ends with a message of another type, so its payload is not read.
            guard type == 0 else { return .other(type: type) }
            state = .begin(left: length)
            return try next()
        case .begin(let left):
            // Other services have such headers, too: only the start marker shows that this is a picture (B.1.1.3).
            guard bytes.count - position >= 2 else { return nil }
            guard bytes[position...].starts(with: [0xff, 0xd8]) else { throw fail("a frame that is no JPEG picture") }
            state = .picture(left: left, JPEGScanner())
            // Growing step by step would leave memory in pieces.
            if keepsPictures { kept.reserveCapacity(left) }
            return .pictureBegins
        case .picture(let left, var scanner):
            let piece = bytes[position...].prefix(left)
            position += piece.count
            if keepsPictures || scanner.size == nil { kept += piece }
            guard scanner.scan(kept[...]) else { throw fail("a frame that is no JPEG picture") }
            guard piece.count == left else {
                state = .picture(left: left - piece.count, scanner)
                return nil
            }
            guard let size = scanner.size else { throw fail("a JPEG picture without a size") }
            state = .header
            defer { kept = [] }
            return .picture(width: size.width, height: size.height, bytes: keepsPictures ? kept : [])
        }
    }

    private func word(_ offset: Int) -> UInt32 {
        bytes[position + offset..<position + offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func fail(_ description: String) -> ParseError {
        let error = ParseError(description: description)
        state = .failed(error)
        (bytes, position, kept) = ([], 0, [])
        return error
    }
}
