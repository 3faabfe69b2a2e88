import Testing

@testable import CameraProtocols

@Suite("The parser")
struct RTSPParserTests {
    /// One of everything that is legal.
    private static let wire =
        "\r\nRTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 5\r\n\r\nhello$\u{1}\0\u{3}abc\n\r\n"
        + "OPTIONS * RTSP/1.0\nCSEQ:7\nX-Long: a\n b\n\tc\n\nRTSP/1.0 404\r\ncontent-length:  0 \r\ncontent-length: 0\r\n\r\n"

    private static let messages: [RTSPMessage] = [
        .response(
            ResponseMessage(
                status: 200,
                reason: "OK",
                headers: ["CSeq": "1", "Content-Length": "5"],
                body: Array("hello".utf8)
            )
        ),
        .interleaved(channel: 1, payload: Array("abc".utf8)),
        .request(RequestMessage(method: "OPTIONS", url: "*", headers: ["CSEQ": "7", "X-Long": "a b c"])),
        .response(ResponseMessage(status: 404, headers: ["content-length": "0", "content-length": "0"])),
    ]

    private func parse(_ pieces: [some Collection<UInt8>]) throws -> [RTSPMessage] {
        var parser = RTSPParser()
        var messages: [RTSPMessage] = []
        for piece in pieces {
            parser.append(piece)
            while let message = try parser.next() { messages.append(message) }
        }
        #expect(parser.unfinished == nil)
        return messages
    }

    @Test func `Any split at two places, and byte by byte, gives the same messages`() throws {
        let bytes = Array(Self.wire.utf8)
        #expect(try parse([bytes]) == Self.messages)
        #expect(try parse(bytes.map { [$0] }) == Self.messages)
        for first in 0...bytes.count {
            for second in stride(from: first, through: bytes.count, by: 7) {
                #expect(try parse([bytes[..<first], bytes[first..<second], bytes[second...]]) == Self.messages)
            }
        }
    }

    /// Bytes after a frame that the camera miscounted, with what may stand in video.
    static let miscounted: [String] = ["\u{1}", "ab", "ab$\u{9}\0\u{1}", "\u{7F}OPTIONS ", "RTS", "\0\r\n"]

    @Test(arguments: miscounted)
    func `What a miscounted frame left is skipped up to the next packet, a few times`(rest: String) throws {
        let frame: [UInt8] = [0x24, 0, 0, 2, 0x80, 0x60]
        let good = (0..<100).flatMap { _ in frame }
        let answer = Array("RTSP/1.0 200 OK\r\n\r\n".utf8)
        let bytes = good + Array(rest.utf8) + frame + answer
        let found = try parse([bytes])
        #expect(found.count == 102)
        #expect(found[100] == .interleaved(channel: 0, payload: [0x80, 0x60]))
        #expect(found[101] == .response(ResponseMessage(status: 200, reason: "OK")))
        #expect(try parse(bytes.map { [$0] }) == found)
        let broken = (0...10).flatMap { _ in frame + Array("\u{1}".utf8) }
        #expect(throws: MessageParseError.self) { try parse([good + broken]) }
        #expect(throws: MessageParseError.self) { try parse([frame + Array("\u{1}".utf8) + good]) }
    }

    @Test func `A message cut anywhere is no message yet`() throws {
        let bytes = Array("RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 2\r\n\r\nab".utf8)
        for count in 0..<bytes.count {
            var parser = RTSPParser()
            parser.append(bytes[..<count])
            let message = try parser.next()
            #expect(message == nil)
            #expect((parser.unfinished == nil) == (count < Array("RTSP/1.0 200 OK\r\n".utf8).count))
        }
    }

    static let faultsRows: [(String, String)] = [
        ("HTTP/1.1 400 Bad\r\n\r\n", "speaks HTTP"),
        ("\u{15}\u{3}\u{1}\0\u{2}\u{2}", "speaks TLS"),
        ("\u{16}\u{3}", "speaks TLS"),
        ("\u{1}", "does not speak RTSP"),
        ("<html>", "does not speak RTSP"),
        ("SIP/2.0 200 OK\r\n", "neither an answer nor a request"),
        ("RTSP/1.0\r\n", "a status line"),
        ("RTSP/1.0 20 OK\r\n", "a status line"),
        ("RTSP/x.0 200 OK\r\n", "a status line"),
        ("GET / HTTP/1.1\r\n", "neither an answer nor a request"),
        ("GET\r\n", "neither an answer nor a request"),
        ("RTSP/1.0 200 OK\r\n folded\r\n", "folded line"),
        ("RTSP/1.0 200 OK\r\nno colon\r\n", "without colon"),
        ("RTSP/1.0 200 OK\r\n: empty\r\n", "forbidden characters"),
        ("RTSP/1.0 200 OK\r\na b: c\r\n", "forbidden characters"),
        ("RTSP/1.0 200 OK\r\na: \0\r\n", "a control character"),
        ("RTSP/1.0 200 OK\r\na: b\rc\r\n", "a control character"),
        ("RTSP/1.0 200 OK\r\nContent-Length: +1\r\n\r\n", "Content-Length"),
        ("RTSP/1.0 200 OK\r\nContent-Length:\r\n\r\n", "Content-Length"),
        ("RTSP/1.0 200 OK\r\nContent-Length: 262145\r\n\r\n", "a body over"),
        (String(repeating: "R", count: 8200), "a header line over"),
        (
            "RTSP/1.0 200 OK\r\n" + String(repeating: "X: \(String(repeating: "y", count: 4000))\r\n", count: 9),
            "headers over"
        ),
    ]

    @Test(arguments: faultsRows)
    func `What breaks a rule or a limit is refused as soon as it shows`(_ text: String, _ words: String) throws {
        for pieces in [[Array(text.utf8)], text.utf8.map { [$0] }] {
            var parser = RTSPParser()
            let error = #expect(throws: MessageParseError.self) {
                for piece in pieces {
                    parser.append(piece)
                    while try parser.next() != nil {}
                }
            }
            #expect(error?.description.contains(words) == true)
        }
    }
}
