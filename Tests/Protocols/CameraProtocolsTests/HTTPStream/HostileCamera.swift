import CameraProtocols
import NIOCore

/// A camera that wants to do harm, and the reasons of which a probe of it must have one; none if it is healthy.
struct HostileCamera: Sendable, CustomStringConvertible {
    let description: String
    let reply: @Sendable (_ request: String) -> HTTPCamera.Reply?
    let reasons: Set<ProbeReason?>

    init(
        _ description: String,
        _ reasons: Set<ProbeReason?>,
        _ parts: any HTTPBytes...,
        end: HTTPCamera.Reply.End = .silence
    ) {
        var reply = HTTPCamera.Reply(end: end)
        reply.pieces = parts.map(\.httpBytes)
        self.init(description, reasons) { [reply] _ in reply }
    }

    init(_ description: String, _ reasons: Set<ProbeReason?>, reply: @escaping @Sendable (String) -> HTTPCamera.Reply?)
    {
        (self.description, self.reasons, self.reply) = (description, reasons, reply)
    }

    static let all = heads + chunks + logins + Framing.allCases.flatMap { framing in bodies.map { $0.camera(framing) } }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    private static let mega = String(repeating: "a", count: 1 << 20)
    private static let silence: Set<ProbeReason?> = [.rtspTimeout]
    private static let broken: Set<ProbeReason?> = [.rtspInvalid]
    /// By its bytes, or on a slow machine by the time.
    private static let flood: Set<ProbeReason?> = [.rtspInvalid, .rtspTimeout]

    private static let heads: [Self] = [
        Self("says nothing", silence),
        Self("hangs up", [.closedEarly], end: .close),
        Self("resets", [.closedEarly], end: .reset),
        Self("half a header", silence, ok + "Content-Ty"),
        Self("half a header, then the end", [.closedEarly], ok + "Content-Ty", end: .close),
        Self("half a header, then a reset", [.closedEarly, .rtspTimeout], ok + "Content-Ty", end: .reset),
        Self("a head that drips", silence) { _ in .drip(ok + mega, every: .milliseconds(100)) },
        Self("a head that drips fast", [.rtspInvalid, .rtspTimeout]) { _ in
            .drip(String(repeating: "X: a\r\n", count: 9), every: .milliseconds(5))
        },
        Self("empty lines without end", flood, String(repeating: "\r\n", count: 4096), end: .flood),
        Self(
            "interim answers without end",
            flood,
            String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 500),
            end: .flood
        ),
        Self("an interim answer, then silence", silence, "HTTP/1.1 101 Switching Protocols\r\n\r\n"),
        Self("a status line without end", broken, "HTTP/1.1 200 " + mega, end: .flood),
        Self("headers without end", broken, ok, String(repeating: "X: a\r\n", count: 1000), end: .flood),
        Self("a boundary of 8 kB", [.noFrame], ok + "Content-Type: multipart/x; boundary=\(mega.prefix(8000))\r\n\r\n"),
        Self("an escape sequence in a header", [.noFrame], ok + "X: \u{1b}[2J\r\n\r\n"),
        Self("no body", [.noVideo], ok + "Content-Length: 0\r\n\r\n"),
        Self("frames of HTTP/2", broken, [0, 0, 18, 4, 0, 0, 0, 0, 0]),
        Self("NULs without end", broken, [UInt8](repeating: 0, count: 1 << 16), end: .flood),
        Self("a redirect to itself", [.redirected], "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"),
        Self("a page without end", [.noVideo], ok + "Content-Type: text/html\r\n\r\n", mega, end: .flood),
        Self("an error without end", [.busy], "HTTP/1.1 503 Busy\r\n\r\n", mega, end: .flood),
    ]

    private static let chunks: [Self] = [
        Self(
            "a chunk with a size that does not end",
            broken,
            chunked,
            String(repeating: "0", count: 1 << 16),
            end: .flood
        ),
        Self("the largest chunk, then silence", [.noFrame], chunked + "7fffffffffffffff\r\n"),
        Self("more than a chunk has", broken, chunked + "2\r\nabxyz\r\n"),
        Self(
            "chunks of one byte without end",
            [.rtspInvalid, .noFrame],
            chunked,
            String(repeating: "1\r\na\r\n", count: 999),
            end: .flood
        ),
        Self(
            "empty lines between chunks without end",
            [.rtspInvalid, .noFrame],
            chunked,
            String(repeating: "\r\n", count: 999),
            end: .flood
        ),
        Self(
            "a trailer without end",
            broken,
            chunked + "0\r\n",
            String(repeating: "X: a\r\n", count: 999),
            end: .flood
        ),
    ]

    private static func locked(_ head: String) -> String { "HTTP/1.1 401 No\r\nWWW-Authenticate: \(head)\r\n" }
    private static let digest = "Digest realm=\"r\", nonce=\"n\""

    private static let logins: [Self] = [
        Self("wants a login again and again", [.unauthorized], locked(digest) + "Content-Length: 0\r\n\r\n"),
        Self("wants a login again and again, and hangs up", [.unauthorized], locked(digest) + "\r\n", end: .close),
        Self("wants it with a new nonce each time", broken) { request in
            HTTPCamera.Reply(
                locked("Digest realm=\"r\", nonce=\"\(request.hashValue)\", stale=true") + "\r\n",
                end: .close
            )
        },
        Self(
            "a thousand challenges",
            broken,
            locked(digest) + String(repeating: "WWW-Authenticate: \(digest)\r\n", count: 999)
        ),
        Self("a refusal without end", flood, locked(digest) + "Content-Length: 99999999999\r\n\r\n", mega, end: .flood),
        Self("a refusal whose end never comes", silence, locked(digest) + "Content-Length: 5\r\n\r\n"),
        Self("silence after the login", silence) { request in
            request.contains("Authorization") ? nil : HTTPCamera.Reply(locked(digest) + "Content-Length: 0\r\n\r\n")
        },
        Self("hangs up after the login", [.closedEarly]) { request in
            request.contains("Authorization")
                ? HTTPCamera.Reply(end: .close) : HTTPCamera.Reply(locked(digest) + "\r\n", end: .close)
        },
        Self("a line end in the nonce", broken, locked("Digest realm=\"r\", nonce=\"a\rb\"") + "\r\n"),
    ]

    /// How a body is announced.
    private enum Framing: String, CaseIterable {
        case untilEnd = "until the end", length = "with a length", chunks = "in chunks", single = "as a single picture"

        var head: String {
            switch self {
            case .untilEnd: "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=b\r\n\r\n"
            case .length: ok + "Content-Length: 9223372036854775807\r\n\r\n"
            case .chunks: chunked
            case .single: ok + "Content-Type: image/jpeg\r\n\r\n"
            }
        }

        func piece(_ bytes: [UInt8]) -> [UInt8] {
            guard self == .chunks, !bytes.isEmpty else { return bytes }
            return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
        }
    }

    private struct Body {
        let name: String
        let pieces: [[UInt8]]
        let end: HTTPCamera.Reply.End
        let reasons: Set<ProbeReason?>
        var interval = TimeAmount.zero

        init(
            _ name: String,
            _ reasons: Set<ProbeReason?>,
            _ pieces: any HTTPBytes...,
            end: HTTPCamera.Reply.End = .silence
        ) {
            (self.name, self.reasons, self.end) = (name, reasons, end)
            self.pieces = pieces.map(\.httpBytes)
        }

        static func drip(_ name: String, _ reasons: Set<ProbeReason?>, _ bytes: [UInt8]) -> Self {
            var body = Self(name, reasons, bytes)
            body.interval = .milliseconds(100)
            return body
        }

        func camera(_ framing: Framing) -> HostileCamera {
            let pieces = interval > .zero ? pieces.joined().map { [$0] } : pieces
            var reply = HTTPCamera.Reply(framing.head, end: end, interval: interval)
            reply.pieces += pieces.map(framing.piece)
            return HostileCamera("\(name), \(framing.rawValue)", reasons) { [reply] _ in reply }
        }
    }

    private static let picture = TestJPEG.picture()
    private static let part = "\r\n--b\r\nContent-Type: image/jpeg\r\n\r\n"
    /// Before a picture begins, by its bytes or by the time.
    private static let noPicture: Set<ProbeReason?> = [.rtspInvalid, .noFrame]
    private static let noEnd: Set<ProbeReason?> = [.noFrame]

    private static func many(_ bytes: any HTTPBytes, _ size: Int = 1 << 16) -> [UInt8] {
        let bytes = bytes.httpBytes
        return (0..<max(1, size / bytes.count)).flatMap { _ in bytes }
    }

    private static let bodies: [Body] = [
        Body("nothing", noEnd),
        Body("nothing and the end", [.closedEarly], end: .close),
        Body("text without end", noPicture, many("a"), end: .flood),
        Body("gigabytes of headers of parts", noPicture, many("X: a\r\n"), end: .flood),
        Body(
            "parts inside parts without end",
            noPicture,
            many("--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"),
            end: .flood
        ),
        Body("NULs without end", noPicture, many([0]), end: .flood),
        Body("fill bytes without end", noPicture, many([0xff]), end: .flood),
        Body("beginnings without end", noEnd, many([0xff, 0xd8, 0xff]), end: .flood),
        Body(
            "segments without end",
            noEnd,
            [0xff, 0xd8],
            many(TestJPEG.segment(0xfe, many([1], 60_000))),
            end: .flood
        ),
        Body("data without end", noEnd, picture.dropLast(2), many([0x5a]), end: .flood),
        Body("scans without end", noEnd, picture.dropLast(2), many(TestJPEG.segment(0xda, [1])), end: .flood),
        Body("pictures without their end, without end", [nil], many(part.httpBytes + picture.dropLast(2)), end: .flood),
        Body("a picture that stops", noEnd, picture.dropLast(9)),
        Body("a picture that stops, and a reset", [.closedEarly, .noFrame], picture.dropLast(9), end: .reset),
        Body("a part of a gigabyte", noPicture, "--b\r\nContent-Length: 1073741824\r\n\r\n"),
        .drip("a picture that drips", noEnd, TestJPEG.picture(data: 4000)),
        Body("a bomb of 65535 × 65535", [nil], TestJPEG.picture(width: 65_535, height: 65_535)),
        Body(
            "random bytes without end",
            [.noFrame, .rtspInvalid],
            (0..<65_536).map { _ in UInt8.random(in: 0...254) },
            end: .flood
        ),
    ]
}
