/// What the head of a message may hold.
package enum MessageLimits {
    /// Bytes of one header line, or of the start line.
    static let line = 8 * 1024
    /// Bytes of start line and header lines together.
    static let headers = 32 * 1024
    /// Number of header lines.
    static let count = 100
    /// Bytes of a body.
    package static let body = 256 * 1024
}

/// The bytes of a connection, to be taken head by head, line by line or by their number.
///
/// Takes CRLF and LF line ends. Holds what was appended and not taken yet.
struct LineReader: Sendable {
    private var bytes: [UInt8] = []
    private var position = 0
    /// Where the search for the end of the line goes on, so that a byte at a time is no quadratic work.
    private var scanned = 0
    private var headBytes = 0
    /// What was read of a head that is not complete, or broke off.
    private(set) var head: MessageHead?

    var rest: ArraySlice<UInt8> { bytes[position...] }

    mutating func append(_ more: some Collection<UInt8>) {
        if position > 0 {
            bytes.removeFirst(position)
            scanned -= position
            position = 0
        }
        bytes.append(contentsOf: more)
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let taken = rest.prefix(count)
        advance(to: taken.endIndex)
        return taken
    }

    /// Skips empty lines; the limit of a head's bytes counts from here.
    ///
    /// - Returns: The first byte of the next line, nil when it has not come.
    mutating func startHead() -> UInt8? {
        headBytes = 0
        while let first = rest.first, first == ASCII.cr || first == ASCII.lf { advance(to: position + 1) }
        return rest.first
    }

    /// The next head of a message, whose start line calls the protocol `name`; nil when its end has not come.
    ///
    /// A lenient reader ignores lines that are no headers.
    mutating func takeHead(of name: String, isLenient: Bool = false) throws(MessageParseError) -> MessageHead? {
        if head == nil {
            guard startHead() != nil else { return nil }
            try StartLine.check(prefix: rest.prefix(MessageLimits.line), of: name)
            guard let line = try takeLine() else { return nil }
            head = MessageHead(start: try StartLine(line, of: name), isLenient: isLenient)
        }
        while let line = try takeLine() {
            if line.isEmpty {
                defer { head = nil }
                return head
            }
            try head?.read(line)
        }
        return nil
    }

    /// The next line without its end, nil when that has not come.
    mutating func takeLine() throws(MessageParseError) -> String? {
        while scanned < bytes.count, bytes[scanned] != ASCII.lf {
            let byte = bytes[scanned]
            let beforeEnd = byte == ASCII.cr && (scanned + 1 == bytes.count || bytes[scanned + 1] == ASCII.lf)
            guard ASCII.isText(byte) || beforeEnd || head?.isLenient == true else {
                throw MessageParseError("a control character in a header")
            }
            scanned += 1
            // A CR at the very end is looked at again when its successor is there.
            if beforeEnd, scanned == bytes.count {
                scanned -= 1
                break
            }
        }
        let length = scanned - position
        guard length <= MessageLimits.line else {
            throw MessageParseError("a header line over \(MessageLimits.line) bytes")
        }
        guard headBytes + length <= MessageLimits.headers else {
            throw MessageParseError("headers over \(MessageLimits.headers) bytes")
        }
        guard scanned < bytes.count, bytes[scanned] == ASCII.lf else { return nil }
        var end = scanned
        if end > position, bytes[end - 1] == ASCII.cr { end -= 1 }
        let line = WireText.text(of: bytes[position..<end])
        headBytes += scanned + 1 - position
        advance(to: scanned + 1)
        return line
    }

    private mutating func advance(to index: Int) { (position, scanned) = (index, index) }
}
