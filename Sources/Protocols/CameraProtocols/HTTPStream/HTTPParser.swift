/// Reads the answers of an HTTP server (RFC 9112), and the JPEG pictures in them.
struct HTTPParser: StreamParser {
    enum Message: Sendable, Equatable {
        /// The head of an answer.
        case response(ResponseMessage)
        /// The type of the answer's first part, as the server writes it.
        case part(type: String)
        /// The first bytes of a picture; it may turn out to be none, and then another one begins.
        case pictureBegins
        case picture(VideoFormat, [UInt8])
        /// The body has come to its announced end.
        case end
    }

    private enum State {
        case head
        case body(Body)
    }

    /// What is still to come of a body (RFC 9112, sections 6.3 and 7.1).
    private enum Body {
        case untilEnd
        case length(Int)
        case chunkSize
        case chunk(Int)
        case trailer
    }

    private var reader = LineReader()
    private var state = State.head
    private var pictures = JPEGReader()
    /// Only a good answer is searched for pictures.
    private var hasPictures = false

    /// An answer whose head is not complete, with the header fields that were read.
    var unfinished: Message? {
        if case .response(let response)? = reader.head?.message() { .response(response) } else { nil }
    }

    mutating func append(_ more: some Collection<UInt8>) { reader.append(more) }

    mutating func next() throws(MessageParseError) -> Message? {
        while true {
            switch state {
            case .head:
                // Working cameras send lines that are no headers. RTSP must not ignore a line: its messages follow one
                // another.
                guard let head = try reader.takeHead(of: "HTTP", isLenient: true) else { return nil }
                guard case .response(let response) = head.message() else {
                    throw MessageParseError("the server sends a request")
                }
                hasPictures = (200..<300).contains(response.status)
                state = response.status < 200 ? .head : .body(try Self.body(of: response, head))
                return .response(response)
            case .body(let body):
                if let message = try pictures.next() { return message }
                if case .length(0) = body {
                    if let last = pictures.takeLast() { return last }
                    state = .head
                    return .end
                }
                guard try advance(body) else { return nil }
            }
        }
    }

    private static func body(of response: ResponseMessage, _ head: MessageHead) throws(MessageParseError) -> Body {
        if [204, 304].contains(response.status) { return .length(0) }
        let encoding = response.headers.first(name: "Transfer-Encoding")?.lowercased()
        if encoding?.hasSuffix("chunked") == true { return .chunkSize }
        return try head.bodyLength(limit: .max).map(Body.length) ?? .untilEnd
    }

    /// Goes on in the body; false when more bytes are needed.
    private mutating func advance(_ body: Body) throws(MessageParseError) -> Bool {
        switch body {
        case .untilEnd: return passOn(.max) > 0
        case .length(let left):
            let taken = passOn(left)
            state = .body(.length(left - taken))
            return taken > 0
        case .chunkSize:
            _ = reader.startHead()
            guard let line = try reader.takeLine() else { return false }
            let digits = ASCII.trimmed(line.prefix { $0 != ";" })
            guard digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let size = Int(digits, radix: 16)
            else { throw MessageParseError("the size of a chunk is no number") }
            state = .body(size == 0 ? .trailer : .chunk(size))
        case .chunk(let left):
            let taken = passOn(left)
            state = .body(taken == left ? .chunkSize : .chunk(left - taken))
            return taken > 0
        case .trailer:
            guard let line = try reader.takeLine() else { return false }
            if line.isEmpty { state = .body(.length(0)) }
        }
        return true
    }

    /// Passes on at most `count` bytes of the body.
    private mutating func passOn(_ count: Int) -> Int {
        let piece = reader.take(count)
        if hasPictures { pictures.append(piece) }
        return piece.count
    }
}
