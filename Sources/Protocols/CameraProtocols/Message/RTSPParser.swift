/// Turns the bytes of a connection into messages, whatever pieces they come in.
///
/// Takes CRLF and LF line ends, folded header lines, header names in any case, empty lines between messages and
/// interleaved frames. Holds at most one message and what was appended after it.
package struct RTSPParser: StreamParser {
    private enum State {
        case head
        case body(length: Int)
    }

    private let bodyLimit: Int
    private var reader = LineReader()
    private var state = State.head
    /// The head of the message whose body is not complete, or cannot be read.
    private var head: MessageHead?

    package init() { self.init(bodyLimit: MessageLimits.body) }

    package init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// The message that is not complete, or broke off, with the header fields that were read.
    var unfinished: RTSPMessage? { (head ?? reader.head)?.message() }

    package mutating func append(_ more: some Collection<UInt8>) { reader.append(more) }

    /// The next whole message, nil when more bytes are needed.
    package mutating func next() throws(MessageParseError) -> RTSPMessage? {
        while true {
            switch state {
            case .head:
                if reader.head == nil, reader.startHead() == ASCII.dollar { return takeFrame() }
                head = try reader.takeHead(of: "RTSP")
                guard let head else { return nil }
                state = .body(length: try head.bodyLength(limit: bodyLimit) ?? 0)
            case .body(let length):
                guard reader.rest.count >= length else { return nil }
                let body = Array(reader.take(length))
                defer { (state, head) = (.head, nil) }
                return head?.message(body: body)
            }
        }
    }

    private mutating func takeFrame() -> RTSPMessage? {
        let rest = reader.rest
        guard rest.count >= 4 else { return nil }
        let first = rest.startIndex
        let length = Int(rest[first + 2]) << 8 | Int(rest[first + 3])
        guard rest.count >= 4 + length else { return nil }
        return .interleaved(channel: rest[first + 1], payload: Array(reader.take(4 + length).dropFirst(4)))
    }
}
