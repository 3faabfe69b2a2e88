/// Turns the bytes of a connection into messages, whatever pieces they come in.
///
/// Takes CRLF and LF line ends, folded header lines, header names in any case, empty lines between messages and
/// interleaved frames. Holds at most one message and what was appended after it.
struct RTSPParser: StreamParser {
    struct Limits: Sendable, Hashable {
        /// Bytes of one header line, or of the start line.
        var line = 8 * 1024
        /// Bytes of start line and header lines together.
        var headers = 32 * 1024
        /// Number of header lines.
        var count = 100
        /// Bytes of a body.
        var body = 256 * 1024
    }

    private enum State {
        case start
        case headers
        case body(length: Int)
        case failed(RTSPParseError)
    }

    let limits: Limits
    private var bytes: [UInt8] = []
    private var position = 0
    /// Where the search for the end of the line goes on, so that a byte at a time is no quadratic work.
    private var scanned = 0
    private var headBytes = 0
    private var state = State.start
    /// Of the message that has begun, also when it broke off.
    private var head: MessageHead?

    init() { self.init(limits: Limits()) }

    init(limits: Limits) { self.limits = limits }

    /// The message that is not complete, or broke off, with the header fields that were read.
    var unfinished: RTSPMessage? { head?.message() }

    mutating func append(_ more: some Collection<UInt8>) {
        if position > 0 {
            bytes.removeFirst(position)
            scanned -= position
            position = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next whole message, nil when more bytes are needed.
    ///
    /// - Throws: ``RTSPParseError``, and from then on the same one always.
    mutating func next() throws(RTSPParseError) -> RTSPMessage? {
        do {
            return try step()
        } catch {
            state = .failed(error)
            bytes = []
            (position, scanned) = (0, 0)
            throw error
        }
    }

    private mutating func step() throws(RTSPParseError) -> RTSPMessage? {
        while true {
            switch state {
            case .failed(let error):
                throw error
            case .start:
                guard let first = skipEmptyLines() else { return nil }
                if first == ASCII.dollar { return takeFrame() }
                try StartLine.check(prefix: bytes[position...].prefix(limits.line))
                headBytes = 0
                guard let line = try takeLine() else { return nil }
                head = MessageHead(start: try StartLine(line))
                state = .headers
            case .headers:
                guard let line = try takeLine() else { return nil }
                if line.isEmpty {
                    state = .body(length: try head?.bodyLength(limit: limits.body) ?? 0)
                } else {
                    try head?.read(line, limit: limits.count)
                }
            case .body(let length):
                guard bytes.count - position >= length else { return nil }
                let body = Array(bytes[position..<position + length])
                advance(to: position + length)
                defer { (state, head) = (.start, nil) }
                return head?.message(body: body)
            }
        }
    }

    private mutating func skipEmptyLines() -> UInt8? {
        while position < bytes.count, bytes[position] == ASCII.cr || bytes[position] == ASCII.lf {
            advance(to: position + 1)
        }
        return position < bytes.count ? bytes[position] : nil
    }

    private mutating func takeFrame() -> RTSPMessage? {
        guard bytes.count - position >= 4 else { return nil }
        let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
        guard bytes.count - position >= 4 + length else { return nil }
        let channel = bytes[position + 1]
        let payload = Array(bytes[position + 4..<position + 4 + length])
        advance(to: position + 4 + length)
        return .interleaved(channel: channel, payload: payload)
    }

    private mutating func takeLine() throws(RTSPParseError) -> String? {
        while scanned < bytes.count, bytes[scanned] != ASCII.lf {
            let byte = bytes[scanned]
            let beforeEnd = byte == ASCII.cr && (scanned + 1 == bytes.count || bytes[scanned + 1] == ASCII.lf)
            guard ASCII.isText(byte) || beforeEnd else {
                throw RTSPParseError(.header, "a control character in a header")
            }
            scanned += 1
            // A CR at the very end is looked at again when its successor is there.
            if beforeEnd, scanned == bytes.count {
                scanned -= 1
                break
            }
        }
        let length = scanned - position
        guard length <= limits.line else {
            throw RTSPParseError(.lineTooLong, "a header line over \(limits.line) bytes")
        }
        guard headBytes + length <= limits.headers else {
            throw RTSPParseError(.headersTooLarge, "headers over \(limits.headers) bytes")
        }
        guard scanned < bytes.count, bytes[scanned] == ASCII.lf else { return nil }
        var end = scanned
        if end > position, bytes[end - 1] == ASCII.cr { end -= 1 }
        let line = WireText.text(of: bytes[position..<end])
        headBytes += scanned + 1 - position
        advance(to: scanned + 1)
        return line
    }

    private mutating func advance(to index: Int) {
        position = index
        scanned = index
    }
}
