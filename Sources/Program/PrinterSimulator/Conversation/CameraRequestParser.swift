internal import NIOCore

/// Finds requests in a stream of bytes; the viewer's RTCP and what a request carries are skipped.
struct CameraRequestParser: Sendable {
    struct Malformed: Error {}

    static let maximumHead = 16_384
    static let maximumBody = 65_536

    private var buffer = ByteBuffer()
    private var toSkip = 0

    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        buffer.discardReadBytes()
        buffer.writeBuffer(&bytes)
    }

    /// The next whole request; nil when more bytes are needed.
    mutating func next() throws(Malformed) -> CameraRequest? {
        while true {
            if toSkip > 0 {
                let count = min(toSkip, buffer.readableBytes)
                buffer.moveReaderIndex(forwardBy: count)
                toSkip -= count
                if toSkip > 0 { return nil }
            }
            guard let first = buffer.readableBytesView.first else { return nil }
            switch first {
            case UInt8(ascii: "$"):
                guard let length = buffer.getInteger(at: buffer.readerIndex + 2, as: UInt16.self) else { return nil }
                toSkip = 4 + Int(length)
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                buffer.moveReaderIndex(forwardBy: 1)
            default:
                guard let head = try nextHead() else { return nil }
                return try parse(head)
            }
        }
    }

    private mutating func nextHead() throws(Malformed) -> String? {
        let view = buffer.readableBytesView.prefix(Self.maximumHead)
        guard let end = view.firstRange(of: "\r\n\r\n".utf8) else {
            if view.count == Self.maximumHead { throw Malformed() }
            return nil
        }
        buffer.moveReaderIndex(forwardBy: end.upperBound - view.startIndex)
        return String(decoding: view[..<end.lowerBound], as: UTF8.self)
    }

    private mutating func parse(_ head: String) throws(Malformed) -> CameraRequest {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("RTSP/") else { throw Malformed() }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw Malformed() }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers[line[..<colon].lowercased()] = String(value)
        }
        let length = headers["content-length"].map { Int($0) ?? -1 } ?? 0
        guard (0...Self.maximumBody).contains(length) else { throw Malformed() }
        toSkip = length
        return CameraRequest(method: String(words[0]), target: String(words[1]), headers: headers)
    }
}
