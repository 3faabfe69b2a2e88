import CameraProtocols

extension WireRow {
    /// Not to be believed.
    static let broken: [Self] = [
        // Lines.
        Self("nothing", nil, .rtspTimeout) { _ in nil },
        Self("half an answer", nil, .rtspTimeout) { String($0.prefix(20)) },
        Self("a status of two digits", nil, .rtspInvalid) { $0.with("200", "20") },
        Self("a status of four digits", nil, .rtspInvalid) { $0.with("200", "2000") },
        Self("a status of letters", nil, .rtspInvalid) { $0.with("200", "abc") },
        Self("a negative status", nil, .rtspInvalid) { $0.with("200", "-20") },
        Self("status 999", nil, .rtspInvalid) { $0.with("200", "999") },
        Self("digits of another script", nil, .rtspInvalid) { $0.with("200", "\u{D9}\u{A2}00") },
        Self("no status at all", nil, .rtspInvalid) { $0.with(" 200 OK", "") },
        Self("another protocol", nil, .rtspInvalid) { $0.with("RTSP/1.0", "HTTP/1.1") },
        Self("SIP", nil, .rtspInvalid) { $0.with("RTSP/1.0", "SIP/2.0") },
        Self("a banner", nil, .rtspInvalid) { "220 mail.example.com ESMTP ready\r\n" + $0 },
        Self("an SSH banner", nil, .rtspInvalid) { _ in "SSH-2.0-OpenSSH_9.2\r\n" },
        Self("TLS inside", nil, .rtspInvalid) { _ in "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}" },
        Self("a header without colon", nil, .rtspInvalid) { $0.adding("nonsense") },
        Self("a header without name", nil, .rtspInvalid) { $0.adding(": value") },
        Self("a name with a blank", nil, .rtspInvalid) { $0.adding("X Y: value") },
        Self("a folded line that continues nothing", nil, .rtspInvalid) { $0.with("OK\r\n", "OK\r\n folded\r\n") },
        Self("a NUL in a value", nil, .rtspInvalid) { $0.adding("X: a\u{0}b") },
        Self("a CR in a value", nil, .rtspInvalid) { $0.adding("X: a\rb") },
        Self("a DEL in a value", nil, .rtspInvalid) { $0.adding("X: a\u{7F}b") },
        Self("a line of 9,000 bytes", nil, .rtspInvalid) { $0.adding("X: " + String(repeating: "x", count: 9_000)) },
        Self("40 KB of headers", nil, .rtspInvalid) { answer in
            answer.adding((1...9).map { "X-\($0): " + String(repeating: "x", count: 4_500) }.joined(separator: "\r\n"))
        },
        Self("10,000 headers", nil, .rtspInvalid) {
            $0.adding(Array(repeating: "X: y", count: 10_000).joined(separator: "\r\n"))
        },
        Self("a header of endless folds", nil, .rtspInvalid) {
            $0.adding("X: y" + String(repeating: "\r\n y", count: 10_000))
        },
        Self("a CSeq of another request", nil, .rtspInvalid) { $0.with("CSeq: ", "CSeq: 9") },
        Self("a CSeq that is no number", nil, .rtspInvalid) { $0.with("CSeq: ", "CSeq: x") },
        Self("a negative CSeq", nil, .rtspInvalid) { $0.with("CSeq: ", "CSeq: -") },
        Self("a CSeq beyond every number", nil, .rtspInvalid) { $0.with("CSeq: ", "CSeq: 99999999999999999999") },
        Self("two CSeq that differ", nil, .rtspInvalid) { $0.adding("CSeq: 4711") },
        Self("the same answer twice", "OPTIONS", .rtspInvalid) { $0 + $0 },
        // Lengths.
        Self("a negative length", nil, .rtspInvalid) { $0.adding("Content-Length: -1") },
        Self("a length with a sign", "OPTIONS", .rtspInvalid) { $0.adding("Content-Length: +0") },
        Self("a length in hexadecimal", "OPTIONS", .rtspInvalid) { $0.adding("Content-Length: 0x0") },
        Self("a length with a fraction", "OPTIONS", .rtspInvalid) { $0.adding("Content-Length: 0.0") },
        Self("a length of nothing", "OPTIONS", .rtspInvalid) { $0.adding("Content-Length:") },
        Self("a length of 2⁶⁴", "OPTIONS", .rtspInvalid) { $0.adding("Content-Length: 18446744073709551616") },
        Self("a length of 2³¹ − 1", "OPTIONS", .rtspInvalid) { $0.adding("Content-Length: 2147483647") },
        Self("two lengths that differ", "DESCRIBE", .rtspInvalid) { $0.adding("Content-Length: 1") },
        Self("a list of lengths that differ", "DESCRIBE", .rtspInvalid) {
            $0.with("Content-Length: ", "Content-Length: 1, ")
        },
        Self("a length that is too long", "DESCRIBE", .rtspTimeout) {
            $0.with("Content-Length: ", "Content-Length: 9")
        },
        Self("a length that is too short", "DESCRIBE", .rtspInvalid) {
            $0.with("Content-Length: ", "Content-Length: 1\r\nX: ")
        },
        // Status.
        Self("a redirect to itself", "DESCRIBE", .redirected) {
            $0.with("200 OK", "302 Found").adding("Location: rtsp://192.0.2.7/a")
        },
        Self("a redirect to elsewhere", "OPTIONS", .redirected) {
            $0.with("200 OK", "301 Moved").adding("Location: rtsp://evil.example/")
        },
        Self("a redirect to nowhere", "SETUP", .redirected) { $0.with("200 OK", "303 See Other") },
        Self("a redirect to HTTP", "DESCRIBE", .redirected) {
            $0.with("200 OK", "305 Use Proxy").adding("Location: http://x/")
        },
        Self("a request to go elsewhere", "PLAY", .redirected) {
            "REDIRECT rtsp://x/ RTSP/1.0\r\nCSeq: 9\r\nLocation: rtsp://u:secret@192.0.2.8/\r\n\r\n" + $0
        },
        Self("the session ended by the server", "PLAY", .closedEarly) {
            $0.with(WireServer.keyFrame, "TEARDOWN rtsp://x/ RTSP/1.0\r\nCSeq: 9\r\nSession: 12345678\r\n\r\n")
        },
        Self("401 without a challenge", "DESCRIBE", .rtspInvalid) { $0.with("200 OK", "401 Unauthorized") },
        Self("401 to OPTIONS for ever", "OPTIONS", .unauthorized) {
            $0.with("200 OK", "401 No").adding("WWW-Authenticate: Digest realm=\"r\", nonce=\"n\"")
        },
        Self("401 to PLAY", "PLAY", .unauthorized) {
            $0.with("200 OK", "401 No").adding("WWW-Authenticate: Digest realm=\"r\", nonce=\"n\"")
        },
        Self("402", "DESCRIBE", .rtspInvalid) { $0.with("200 OK", "402 Payment Required") },
        Self("403", "SETUP", .unauthorized) { $0.with("200 OK", "403 Forbidden") },
        Self("407", "DESCRIBE", .unauthorized) { $0.with("200 OK", "407 Proxy Authentication Required") },
        Self("410", "DESCRIBE", .notFound) { $0.with("200 OK", "410 Gone") },
        Self("459", "PLAY", .rtspInvalid) { $0.with("200 OK", "459 Aggregate Operation Not Allowed") },
        Self("551", "SETUP", .rtspInvalid) { $0.with("200 OK", "551 Option not supported") },
        Self("404", "SETUP", .notFound) { $0.with("200 OK", "404 Stream Not Found") },
        Self("406", "DESCRIBE", .rtspInvalid) { $0.with("200 OK", "406 Not Acceptable") },
        Self("453", "SETUP", .busy) { $0.with("200 OK", "453 Not Enough Bandwidth") },
        Self("454", "PLAY", .rtspInvalid) { $0.with("200 OK", "454 Session Not Found") },
        Self("455", "PLAY", .rtspInvalid) { $0.with("200 OK", "455 Method Not Valid in This State") },
        Self("461", "SETUP", .rtspInvalid) { $0.with("200 OK", "461 Unsupported Transport") },
        Self("500", "PLAY", .rtspInvalid) { $0.with("200 OK", "500 Internal Server Error") },
        Self("503", "PLAY", .busy) { $0.with("200 OK", "503 Service Unavailable") },
        Self("505", "DESCRIBE", .rtspInvalid) { $0.with("200 OK", "505 RTSP Version Not Supported") },
        // The password where it would be cut.
        Self("a long reason", "DESCRIBE", .notFound) {
            $0.with("200 OK", "404 " + String(repeating: "x", count: 75) + "secret")
        },
        Self("a redirect to a long path", "DESCRIBE", .redirected) {
            $0.with("200 OK", "302 Found").adding("Location: rtsp://h/" + String(repeating: "p", count: 62) + "secret")
        },
        Self("an offer of a codec with a long name", "DESCRIBE", .noVideo) {
            $0.description { $0.with("H264", String(repeating: "y", count: 49) + "secret") }
        },
        Self("100 Continue for ever", "OPTIONS", .rtspTimeout) { _ in
            String(repeating: "RTSP/1.0 100 Continue\r\nCSeq: 1\r\n\r\n", count: 500)
        },
        // The description.
        Self("no body", "DESCRIBE", .noVideo) { $0.description { _ in "" } },
        Self("a body of zeros", "DESCRIBE", .rtspInvalid) {
            $0.description { _ in String(repeating: "\u{0}", count: 1_000) }
        },
        Self("a web page", "DESCRIBE", .rtspInvalid) { $0.description { _ in "<html><body>v=0</body></html>" } },
        Self("no media", "DESCRIBE", .noVideo) { $0.description { $0.with("m=video", "x=video") } },
        Self("an application only", "DESCRIBE", .noVideo) { $0.description { $0.with("m=video", "m=application") } },
        Self("a codec that nobody knows", "DESCRIBE", .noVideo) { $0.description { $0.with("H264", "X264") } },
        Self("a payload type without its codec", "DESCRIBE", .noVideo) {
            $0.description { $0.with("rtpmap:96", "rtpmap:97") }
        },
        Self("a control with a blank", "DESCRIBE", .rtspInvalid) { $0.description { $0.with(":track1", ":track 1") } },
        Self("a control that ends the line", "DESCRIBE", .rtspInvalid) {
            $0.description { $0.with(":track1", ":rtsp://x/\u{0}") }
        },
        Self("a control of 5,000 bytes", "DESCRIBE", .rtspInvalid) {
            $0.description { $0.with(":track1", ":" + String(repeating: "x", count: 5_000)) }
        },
        // SETUP and after.
        Self("no session", "SETUP", .rtspInvalid) { $0.with("Session: 12345678;timeout=65\r\n", "") },
        Self("an empty session", "SETUP", .rtspInvalid) { $0.with("12345678", "") },
        Self("UDP", "SETUP", .rtspInvalid) { $0.with("/TCP;unicast;interleaved=0-1", ";unicast;client_port=0-1") },
        Self("channel 300", "SETUP", .rtspInvalid) { $0.with("0-1", "300-301") },
        Self("channel −1", "SETUP", .rtspInvalid) { $0.with("=0-1", "=-1") },
        Self("no video", "PLAY", .noFrame) { $0.with(WireServer.keyFrame, "") },
        Self("video on another channel", "PLAY", .noFrame) { $0.with("$\u{0}", "$\u{2}") },
        Self("frames of nothing", "PLAY", .noFrame) {
            $0.with(WireServer.keyFrame, String(repeating: "$\u{0}\u{0}\u{0}", count: 500))
        },
        Self("no RTP in the frames", "PLAY", .noFrame) { $0.with("\u{80}", "\u{40}") },
        Self("noise after PLAY", "PLAY", .rtspInvalid) { $0.with(WireServer.keyFrame, "\u{9}noise\r\n\r\n") },
    ]
}
