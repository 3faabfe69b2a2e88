import Platform

/// Turns the bytes of a connection into messages, whatever pieces they come in.
///
/// Takes CRLF and LF line ends, folded header lines, header names in any case, empty lines between messages and
/// interleaved frames. Holds at most one message and what was appended after it.
///
/// Cameras on a bad network miscount the bytes of a frame now and then. What follows is skipped up to the next frame, a few
/// times, and only after many frames that were right: what speaks no RTSP is told as such.
package struct RTSPParser: StreamParser {
    private enum State {
        case head
        case body(length: Int)
        /// Between messages, where neither a frame nor a message begins.
        case lost
    }

    /// How often frames may be miscounted on one connection, after how many frames.
    private static let (lossLimit, provingFrames) = (10, 100)
    /// The shortest and the longest method, `RTSP` included.
    private static let wordLengths = 4...13

    private let bodyLimit: Int
    /// The channels that had a frame.
    private var channels: Set<UInt8> = []
    private var frames = 0
    private var losses = 0
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
                if reader.head == nil, let first = reader.startHead() {
                    if first == ASCII.dollar { return takeFrame() }
                    if frames >= Self.provingFrames, losses < Self.lossLimit {
                        guard let startsMessage else { return nil }
                        if !startsMessage {
                            (state, losses) = (.lost, losses + 1)
                            continue
                        }
                    }
                }
                head = try reader.takeHead(of: "RTSP")
                guard let head else { return nil }
                state = .body(length: try head.bodyLength(limit: bodyLimit) ?? 0)
            case .body(let length):
                guard reader.rest.count >= length else { return nil }
                let body = Array(reader.take(length))
                defer { (state, head) = (.head, nil) }
                return head?.message(body: body)
            case .lost:
                guard skipToFrame() else { return nil }
                state = .head
            }
        }
    }

    private mutating func takeFrame() -> RTSPMessage? {
        let rest = reader.rest
        guard rest.count >= 4 else { return nil }
        let first = rest.startIndex
        let length = Int(bigEndianBytes: rest[first + 2..<first + 4])
        guard rest.count >= 4 + length else { return nil }
        channels.insert(rest[first + 1])
        frames += 1
        return .interleaved(channel: rest[first + 1], payload: Array(reader.take(4 + length).dropFirst(4)))
    }

    /// Whether `RTSP/` or a method begins here; nil when more bytes are needed.
    private var startsMessage: Bool? {
        let word = reader.rest.prefix { ASCII.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
        guard let end = reader.rest.dropFirst(word.count).first else {
            return word.count > Self.wordLengths.upperBound ? false : nil
        }
        return Self.wordLengths.contains(word.count) && (end == ASCII.space || end == UInt8(ascii: "/"))
    }

    /// Skips to the next RTP or RTCP packet (RFC 3550, section 5.1: version 2) in a known channel; false if none has come.
    private mutating func skipToFrame() -> Bool {
        while let start = reader.rest.firstIndex(of: ASCII.dollar) {
            _ = reader.take(start - reader.rest.startIndex)
            let begin = Array(reader.rest.prefix(5))
            guard begin.count == 5 else { return false }
            if channels.contains(begin[1]), begin[4] >> 6 == 2 { return true }
            _ = reader.take(1)
        }
        _ = reader.take(.max)
        return false
    }
}
