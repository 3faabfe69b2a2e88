import CameraProtocols
import NIOCore
import TestSupport

/// A camera that wants to do harm, and the reasons of which a probe of it must have one; none if it is healthy.
struct HostileCamera: Sendable, CustomStringConvertible {
    let description: String
    let reply: @Sendable (_ request: String) -> ScriptedServer.Reply?
    let reasons: Set<ProbeReason?>

    init(
        _ description: String,
        _ reasons: Set<ProbeReason?>,
        _ parts: any HTTPBytes...,
        end: ScriptedServer.Reply.End = .silence
    ) {
        let reply = ScriptedServer.Reply(parts, end: end)
        self.init(description, reasons) { _ in reply }
    }

    init(
        _ description: String,
        _ reasons: Set<ProbeReason?>,
        reply: @escaping @Sendable (String) -> ScriptedServer.Reply?
    ) {
        (self.description, self.reasons, self.reply) = (description, reasons, reply)
    }

    static let all = heads + chunks + logins + bodies

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    private static let mega = String(repeating: "a", count: 1 << 20)
    private static let headers = String(repeating: "X: a\r\n", count: 1000)
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
        Self("a head that drips", silence) { _ in .drip(ok + mega, every: .milliseconds(100)) },
        Self("empty lines without end", flood, many("\r\n"), end: .flood),
        Self("interim answers without end", flood, many("HTTP/1.1 100 Continue\r\n\r\n"), end: .flood),
        Self("an interim answer, then silence", silence, "HTTP/1.1 101 Switching Protocols\r\n\r\n"),
        Self("a status line without end", broken, "HTTP/1.1 200 " + mega, end: .flood),
        Self("headers without end", broken, ok, headers, end: .flood),
        Self("NULs without end", broken, many([0]), end: .flood),
        Self("a page without end", [.noVideo], ok + "Content-Type: text/html\r\n\r\n", mega, end: .flood),
        Self("an error without end", [.busy], "HTTP/1.1 503 Busy\r\n\r\n", mega, end: .flood),
    ]

    private static let chunks: [Self] = [
        Self("a chunk with a size that does not end", broken, chunked, many("0"), end: .flood),
        Self("the largest chunk, then silence", [.noFrame], chunked + "7fffffffffffffff\r\n"),
        Self("chunks of one byte without end", noPicture, chunked, many("1\r\na\r\n"), end: .flood),
        Self("empty lines between chunks without end", noPicture, chunked, many("\r\n"), end: .flood),
        Self("a trailer without end", broken, chunked + "0\r\n", headers, end: .flood),
    ]

    private static func locked(_ head: String) -> String { "HTTP/1.1 401 No\r\nWWW-Authenticate: \(head)\r\n" }
    private static let digest = "Digest realm=\"r\", nonce=\"n\""

    private static let logins: [Self] = [
        Self("a thousand challenges", broken, locked(digest), many("WWW-Authenticate: \(digest)\r\n")),
        Self("a refusal without end", flood, locked(digest) + "Content-Length: 99999999999\r\n\r\n", mega, end: .flood),
        Self("a refusal whose end never comes", silence, locked(digest) + "Content-Length: 5\r\n\r\n"),
        Self("silence after the login", silence) { request in
            request.contains("Authorization") ? nil : .init(locked(digest) + "Content-Length: 0\r\n\r\n")
        },
        Self("hangs up after the login", [.closedEarly]) { request in
            .init(request.contains("Authorization") ? "" : locked(digest) + "\r\n", end: .close)
        },
    ]

    /// A stream of pictures until the end of the connection, with this in it.
    private static func stream(
        _ name: String,
        _ reasons: Set<ProbeReason?>,
        _ parts: any HTTPBytes...,
        end: ScriptedServer.Reply.End = .flood
    ) -> Self {
        let reply = ScriptedServer.Reply([mixed] + parts, end: end)
        return Self(name, reasons) { _ in reply }
    }

    private static let mixed = ok + "Content-Type: multipart/x-mixed-replace;boundary=b\r\n\r\n"
    private static let picture = TestJPEG.picture()
    private static let part = "\r\n--b\r\nContent-Type: image/jpeg\r\n\r\n"
    /// Before a picture begins, by its bytes or by the time.
    private static let noPicture: Set<ProbeReason?> = [.rtspInvalid, .noFrame]
    private static let noEnd: Set<ProbeReason?> = [.noFrame]

    private static func many(_ bytes: any HTTPBytes, _ size: Int = 1 << 16) -> [UInt8] {
        let bytes = bytes.httpBytes
        return (0..<max(1, size / bytes.count)).flatMap { _ in bytes }
    }

    private static let bodies: [Self] = [
        stream("nothing", noEnd, end: .silence),
        stream("nothing and the end", [.closedEarly], end: .close),
        stream("text without end", noPicture, many("a")),
        stream("gigabytes of headers of parts", noPicture, many("X: a\r\n")),
        stream("parts in parts without end", noPicture, many("--b\r\nContent-Type: multipart/x; boundary=b\r\n\r\n")),
        stream("NULs without end", noPicture, many([0])),
        stream("fill bytes without end", noPicture, many([0xff])),
        stream("beginnings without end", noEnd, many([0xff, 0xd8, 0xff])),
        stream("segments without end", noEnd, [0xff, 0xd8], many(TestJPEG.segment(0xfe, many([1], 60_000)))),
        stream("data without end", noEnd, picture.dropLast(2), many([0x5a])),
        stream("scans without end", noEnd, picture.dropLast(2), many(TestJPEG.segment(0xda, [1]))),
        stream("pictures without their end, without end", [nil], many(part.httpBytes + picture.dropLast(2))),
        stream("a picture that stops", noEnd, picture.dropLast(9), end: .silence),
        stream("a picture that stops, and a reset", [.closedEarly, .noFrame], picture.dropLast(9), end: .reset),
        stream("a part of a gigabyte", noPicture, "--b\r\nContent-Length: 1073741824\r\n\r\n", end: .silence),
        Self("a picture that drips", noEnd) { _ in
            var reply = ScriptedServer.Reply.drip(TestJPEG.picture(data: 4000), every: .milliseconds(100))
            reply.pieces.insert(mixed.httpBytes, at: 0)
            return reply
        },
        stream("a bomb of 65535 × 65535", [nil], TestJPEG.picture(width: 65_535, height: 65_535), end: .silence),
        stream("random bytes without end", noPicture, (0..<65_536).map { _ in UInt8.random(in: 0...254) }),
    ]
}
