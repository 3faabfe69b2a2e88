import TestSupport
import Testing

@testable import CameraProtocols

@Suite("Pictures in answers of HTTP servers")
struct HTTPParserTests {
    /// Bytes of a server, and what must be found in them.
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        let bytes: [UInt8]
        /// The numbers of the pictures, see ``TestJPEG``.
        var pictures: [UInt8] = [1, 2]
        var isEnded = false
        var error: String?
        /// Of the first part, as the server writes it.
        var type: String?

        init(
            _ description: String,
            _ parts: (any HTTPBytes)...,
            pictures: [UInt8] = [1, 2],
            isEnded: Bool = false,
            error: String? = nil,
            type: String? = nil
        ) {
            self.description = description
            bytes = parts.flatMap(\.httpBytes)
            (self.pictures, self.isEnded, self.error, self.type) = (pictures, isEnded, error, type)
        }

        /// Bytes that are refused, with words of the error.
        init(_ description: String, refused bytes: any HTTPBytes, _ error: String) {
            self.init(description, bytes, pictures: [], error: error)
        }
    }

    static let (one, two) = (TestJPEG.picture(1), TestJPEG.picture(2))
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let mixed = ok + "Content-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n"
    static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    static let part = "--b\r\nContent-Type: image/jpeg\r\n\r\n"
    /// Between two parts.
    static let next = "\r\n--b\r\n\r\n"

    /// The head of an answer with a length.
    static func sized(_ count: Int) -> String { ok + "Content-Length: \(count)\r\n\r\n" }

    static let rows: [Row] = [
        Row("parts without lengths", mixed, part, one, "\r\n" + part, two, "\r\n--b\r\n", type: "image/jpeg"),
        Row(
            "parts of video",
            mixed,
            "--b\r\nX: y\r\nCONTENT-type :  Video/x-h264; a=b \r\n\r\n",
            [0, 0, 0, 1, 0x65],
            "\r\n" + part,
            pictures: [],
            type: "Video/x-h264; a=b"
        ),
        Row("a type behind a picture", mixed, one, "\r\n--b\r\nContent-Type: video/x-h264\r\n\r\n", pictures: [1]),
        Row("a type behind the head", mixed, "--b\r\n\r\nContent-Type: video/x-h264\r\n", one, pictures: [1]),
        Row("parts with lengths", mixed, "--b\r\nContent-Length: \(one.count)\r\n\r\n", one, next, two),
        Row("lengths that are too short", mixed, "--b\r\nContent-Length: 3\r\n\r\n", one, next, two),
        Row("lengths that are too long", mixed, "--b\r\nContent-Length: 999999\r\n\r\n", one, next, two),
        Row("lengths that are none", mixed, "--b\nContent-Length: -1\n\n", one, "--b\nContent-Length: x\n\n", two),
        Row("a boundary with quotes", mixed.replacing("=b", with: "=\"b\"") + "--b\r\n\r\n", one, two),
        Row("a boundary with dashes", mixed.replacing("=b", with: "=--b"), next, one, "----b\r\n\r\n", two),
        Row("another boundary than announced, or none", mixed, "--c\r\n\r\n", one, "\r\n\r\n", two),
        Row("no line end before the boundary", mixed, "--b\r\n\r\n", one, "--b\r\n\r\n", two, "--b--"),
        Row("a preamble", mixed, "A message\r\nin many parts.\r\n" + part, one, next, two, type: "image/jpeg"),
        Row("LF alone everywhere", mixed.replacing("\r\n", with: "\n"), "--b\n\n", one, "\n--b\n\n", two),
        Row("HTTP/1.0, and header names in any case", "HTTP/1.0 200\r\ncontent-TYPE: image/jpeg\r\n\r\n", one, two),
        Row("an interim answer before it", "HTTP/1.1 100 Continue\r\n\r\n", mixed, one, two),
        Row("a single picture with its length", sized(one.count), one, pictures: [1], isEnded: true),
        Row("a single picture until the end", ok + "\r\n", one, pictures: [1]),
        Row("chunks", chunked, Chunks(one + two, size: 7), isEnded: true),
        Row(
            "chunks with extensions, a trailer and capital digits",
            ok + "Transfer-Encoding: gzip, Chunked\r\n\r\n",
            "\(String(one.count, radix: 16).uppercased()) ;a=b\r\n",
            one,
            "\r\n0\r\nX: y\r\n\r\n",
            pictures: [1],
            isEnded: true
        ),
        Row("padding behind a picture", mixed, one, [UInt8](repeating: 0, count: 99), two, [0xff, 0xff, 0]),
        Row("a thumbnail inside a picture", mixed, TestJPEG.picture(1, segments: TestJPEG.segment(0xe1, two)), two),
        Row(
            "a progressive picture, with tables between its scans",
            mixed,
            one.dropLast(2) + TestJPEG.segment(0xc4, [1]) + TestJPEG.segment(0xda, [9]) + [7, 0xff, 0xd9],
            two
        ),
        Row("fill bytes before markers", mixed, [0xff, 0xd8, 0xff] + one.dropFirst(2), two),
        Row("a picture without its end before the next one", mixed, one.dropLast(2), next, two),
        Row("the same, padded", mixed, one.dropLast(2) + [0, 0, 0], "\n" + part, two),
        Row("no boundary before the next one", mixed, one.dropLast(9), "\r\n\r\n", two, pictures: [2]),
        Row("a picture that is cut in its head", mixed, one.prefix(20), next, two, pictures: [2]),
        Row("a single picture without its end", sized(one.count - 2), one.dropLast(2), pictures: [1], isEnded: true),
        Row("the same in chunks", chunked, Chunks(one.dropLast(2), size: 7), pictures: [1], isEnded: true),
        Row("a single picture that is cut in its head", sized(20), one.prefix(20), pictures: [], isEnded: true),
        Row(
            "a part that only begins like a picture",
            mixed,
            "--b\r\n\r\n",
            [0xff, 0xd8, 0xff, 0xe0, 0, 0],
            "--b\r\n\r\n",
            two,
            pictures: [2]
        ),
        Row(
            "parts that are no pictures",
            mixed,
            "--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\n\r\n",
            one,
            two,
            type: "text/plain"
        ),
        Row("a picture without pixels", mixed, TestJPEG.picture(1, width: 0), two, pictures: [2]),
        Row(
            "a body in an answer that is none",
            sized(one.count).replacing("200 OK", with: "404 No"),
            one,
            pictures: [],
            isEnded: true
        ),
        Row("an answer without a body", "HTTP/1.1 204 No Content\r\n\r\n", pictures: [], isEnded: true),
        Row("two answers", "HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno", mixed, one, two, isEnded: true),
        Row("TLS", refused: [0x15, 3, 1, 0, 2, 2, 70], "speaks TLS"),
        Row("RTSP", refused: "RTSP/1.0 400 Bad Request\r\n\r\n", "speaks RTSP"),
        Row("another protocol", refused: "220 ready\r\n", "neither an answer nor a request"),
        Row("a request", refused: "GET / HTTP/1.1\r\n\r\n", "the server sends a request"),
        Row(
            "lines that are no headers, some of them folded",
            "\(ok)Content-Length: \(one.count)\r\nnonsense\r\n folded\r\nServer: a\u{1}\u{7f}b\r\n folded\r\nX Y: z\r\n"
                + ": x\r\nX: a\rb\r\nX: y\r\n \0\r\n folded\r\n\r\n",
            one,
            pictures: [1],
            isEnded: true
        ),
        Row(
            "a folded line before every header",
            ok + " folded\r\nContent-Length: 0\r\n\r\n",
            pictures: [],
            isEnded: true
        ),
        Row("NUL in a status line", refused: "HTTP/1.1 200 a\0b\r\n\r\n", "a control character"),
        Row("a negative length", refused: ok + "Content-Length: -5\r\n\r\n", "Content-Length"),
        Row("a length that overflows", refused: ok + "Content-Length: 99999999999999999999\r\n\r\n", "a body over"),
        Row("two lengths", refused: ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "Content-Length"),
        Row("a chunk whose size overflows", refused: chunked + "ffffffffffffffffff\r\n", "the size of a chunk"),
        Row("lengths that differ in one header", refused: ok + "Content-Length: 5, 6\r\n\r\n", "Content-Length"),
        Row("a chunk of a negative size", refused: chunked + "-1\r\n", "the size of a chunk"),
        Row("a chunk without size", refused: chunked + ";\r\n", "the size of a chunk"),
        Row(
            "a header line without end",
            refused: ok + "X: " + String(repeating: "a", count: 9000),
            "a header line over"
        ),
        Row("headers without end", refused: ok + String(repeating: "X: a\r\n", count: 101), "header lines"),
        Row(
            "a trailer without end",
            refused: chunked + "0\r\n" + String(repeating: "X: a\r\n", count: 9000),
            "headers over"
        ),
    ]

    static let statuses = ["", "999", "000", "99", "1000", "-200", "2e2", "+20"].map { status in
        Row("the status '\(status)'", refused: "HTTP/1.1 \(status) Odd\r\n\r\n", "a status line")
    }

    @Test(arguments: rows + statuses)
    func `Each shape is read, whole or in pieces of any size`(_ row: Row) throws {
        for size in [Int.max, 1, 2, 3, 7, 64] {
            var parser = HTTPParser()
            var pictures: [UInt8] = []
            var types: [String] = []
            var (isEnded, error) = (false, String?.none)
            do {
                for start in stride(from: 0, to: row.bytes.count, by: min(size, row.bytes.count)) {
                    parser.append(row.bytes[start...].prefix(size))
                    while let message = try parser.next() {
                        if message == .end { isEnded = true }
                        if case .part(let type) = message { types.append(type) }
                        guard case .picture(let format, let bytes) = message else { continue }
                        #expect(format == VideoFormat(codec: .mjpeg, width: 64, height: 48))
                        #expect(bytes.prefix(2) == [0xff, 0xd8] && bytes.suffix(2) == [0xff, 0xd9])
                        pictures.append(number(bytes))
                    }
                }
            } catch let failure { error = failure.description }
            #expect(
                pictures == row.pictures && isEnded == row.isEnded && types == [row.type].compactMap(\.self)
                    && (row.error.map { error?.contains($0) == true } ?? (error == nil)),
                "\(row), \(size) at a time"
            )
        }
    }

    /// The first byte of the scan.
    private func number(_ picture: [UInt8]) -> UInt8 {
        let scan: [UInt8] = [0xff, 0xda, 0, 8]
        let start = picture.indices.last { picture[$0...].starts(with: scan) }
        return start.map { picture[$0 + 10] } ?? 0
    }

    @Test func `A picture over 8 MiB is refused, not kept`() throws {
        var parser = HTTPParser()
        parser.append(Self.mixed.utf8)
        parser.append(Self.one.dropLast(2))
        let error = #expect(throws: MessageParseError.self) {
            while true {
                while try parser.next() != nil {}
                parser.append([UInt8](repeating: 0x5a, count: 1 << 16))
            }
        }
        #expect(error?.description == "a picture over 8 MiB")
    }

    @Test func `Many false beginnings cost no quadratic time`() throws {
        var parser = HTTPParser()
        parser.append(Self.mixed.utf8)
        var count = 0
        for _ in 0..<8 {
            parser.append((0..<8192).flatMap { _ in [0xff, 0xd8, 0xff, 0] as [UInt8] })
            while try parser.next() != nil { count += 1 }
        }
        #expect(count > 60_000)
    }
}

/// A body in chunks of one size, with its end.
struct Chunks: HTTPBytes {
    let httpBytes: [UInt8]

    init(_ body: [UInt8], size: Int) {
        let pieces = stride(from: 0, to: body.count, by: size).map { body[$0...].prefix(size) }
        httpBytes =
            pieces.flatMap { Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Array("\r\n".utf8) }
            + Array("0\r\n\r\n".utf8)
    }
}
