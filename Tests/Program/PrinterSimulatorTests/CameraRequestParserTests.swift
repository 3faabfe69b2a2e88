import NIOCore
import Testing

@testable import PrinterSimulator

@Suite("Requests in a stream of bytes")
struct CameraRequestParserTests {
    private static let stream =
        Array("OPTIONS rtsps://h:322/a/b RTSP/1.0\r\nCSeq: 1\r\n\r\n".utf8)
        + [UInt8(ascii: "$"), 1, 0, 4, 13, 10, 13, 10]
        + Array(
            "GET_PARAMETER rtsps://h/a RTSP/1.0\r\ncseq:2\r\nContent-Length: 4\r\nSession: AB;timeout=65\r\n\r\nbody"
                .utf8
        )
        + Array("\r\nPLAY * RTSP/1.0\r\nCSeq: 3\r\nX:\r\n\r\n".utf8)

    private static let requests = [
        CameraRequest(method: "OPTIONS", target: "rtsps://h:322/a/b", headers: ["cseq": "1"]),
        CameraRequest(
            method: "GET_PARAMETER",
            target: "rtsps://h/a",
            headers: ["cseq": "2", "content-length": "4", "session": "AB;timeout=65"]
        ),
        CameraRequest(method: "PLAY", target: "*", headers: ["cseq": "3", "x": ""]),
    ]

    @Test("Requests are found however the bytes are cut", arguments: 1...60)
    func portions(size: Int) throws {
        var parser = CameraRequestParser()
        var found: [CameraRequest] = []
        for start in stride(from: 0, to: Self.stream.count, by: size) {
            parser.append(ByteBuffer(bytes: Self.stream[start..<min(start + size, Self.stream.count)]))
            while let request = try parser.next() { found.append(request) }
        }
        #expect(found == Self.requests)
        #expect(found[1].session == "AB")
    }

    @Test(
        "Requests are refused when they are none, or too long",
        arguments: [
            "HELLO\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "A B RTSP/1.0\r\nno colon\r\n\r\n",
            "A B RTSP/1.0\r\nContent-Length: -1\r\n\r\n",
            "A B RTSP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "A B RTSP/1.0\r\nContent-Length: 65537\r\n\r\n", String(repeating: "x", count: 16_384),
        ]
    )
    func malformed(text: String) {
        var parser = CameraRequestParser()
        parser.append(ByteBuffer(string: text))
        #expect(throws: CameraRequestParser.Malformed.self) { try parser.next() }
    }

    @Test(
        "Requests have the path of their target",
        arguments: [
            ("rtsps://h:322/a/b/", "/a/b"), ("rtsps://h", ""), ("*", "*"), ("/a", "/a"), ("rtsp://[::1]:1/x?y", "/x?y"),
        ]
    )
    func path(target: String, path: String) {
        #expect(CameraRequest(method: "OPTIONS", target: target, headers: [:]).path == path)
    }
}
