import CameraProtocols

extension WireRow {
    /// Not to be believed.
    static let broken: [Self] = [
        // Lines.
        Self("digits of another script", nil, .rtspInvalid) { $0.with("200", "\u{D9}\u{A2}00") },
        Self("a DEL in a value", nil, .rtspInvalid) { $0.adding("X: a\u{7F}b") },
        Self("a header of endless folds", nil, .rtspInvalid) {
            $0.adding("X: y" + String(repeating: "\r\n y", count: 10_000))
        },
        Self("a CSeq that is no number", nil, .rtspInvalid) { $0.with("CSeq: ", "CSeq: x") },
        Self("a negative CSeq", nil, .rtspInvalid) { $0.with("CSeq: ", "CSeq: -") },
        Self("a CSeq beyond every number", nil, .rtspInvalid) { $0.with("CSeq: ", "CSeq: 99999999999999999999") },
        Self("two CSeq that differ", nil, .rtspInvalid) { $0.adding("CSeq: 4711") },
        Self("the same answer twice", "OPTIONS", .rtspInvalid) { $0 + $0 },
        // Lengths.
        Self("a length that is too long", "DESCRIBE", .rtspTimeout) {
            $0.with("Content-Length: ", "Content-Length: 9")
        },
        Self("a length that is too short", "DESCRIBE", .rtspInvalid) {
            $0.with("Content-Length: ", "Content-Length: 1\r\nX: ")
        },
        // Status.
        Self("a request to go elsewhere", "PLAY", .redirected) {
            "REDIRECT rtsp://x/ RTSP/1.0\r\nCSeq: 9\r\nLocation: rtsp://u:secret@192.0.2.8/\r\n\r\n" + $0
        },
        Self("the session ended by the server", "PLAY", .closedEarly) {
            $0.with(WireServer.keyFrame, "TEARDOWN rtsp://x/ RTSP/1.0\r\nCSeq: 9\r\nSession: 12345678\r\n\r\n")
        },
        Self("401 to OPTIONS for ever", "OPTIONS", .unauthorized) {
            $0.with("200 OK", "401 No").adding("WWW-Authenticate: Digest realm=\"r\", nonce=\"n\"")
        },
        Self("401 to PLAY", "PLAY", .unauthorized) {
            $0.with("200 OK", "401 No").adding("WWW-Authenticate: Digest realm=\"r\", nonce=\"n\"")
        },
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
        Self("a control that ends the line", "DESCRIBE", .rtspInvalid) {
            $0.description { $0.with(":track1", ":rtsp://x/\u{0}") }
        },
        Self("a control of 5,000 bytes", "DESCRIBE", .rtspInvalid) {
            $0.description { $0.with(":track1", ":" + String(repeating: "x", count: 5_000)) }
        },
        // SETUP and after.
        Self("no session", "SETUP", .rtspInvalid) { $0.with("Session: 12345678;timeout=65\r\n", "") },
        Self("an empty session", "SETUP", .rtspInvalid) { $0.with("12345678", "") },
        Self("noise after PLAY", "PLAY", .rtspInvalid) { $0.with(WireServer.keyFrame, "\u{9}noise\r\n\r\n") },
    ]
}
