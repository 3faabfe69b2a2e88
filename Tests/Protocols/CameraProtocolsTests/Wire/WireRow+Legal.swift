import CameraProtocols

extension WireRow {
    /// Unusual, and legal or too common to refuse.
    static let legal: [Self] = [
        // Lines.
        Self("line ends without CR") { $0.withoutCarriageReturns },
        Self("header names in upper case") {
            $0.with("CSeq", "CSEQ").with("Transport", "TRANSPORT").with("Content-Base", "CONTENT-BASE")
        },
        Self("no blank after the colon") { $0.with(": ", ":") },
        Self("blanks and tabs around every value") {
            $0.with("CSeq: ", "CSeq: \t ").with("\r\nContent", " \t\r\nContent")
        },
        Self("a blank before the colon") { $0.with("CSeq:", "CSeq :") },
        Self("folded lines") { $0.with("CSeq: ", "CSeq:\r\n ").with(";unicast", "\r\n\t;unicast") },
        Self("headers without value") { $0.adding("X-Empty:").adding("X-Blank:   ") },
        Self("headers that are not ASCII") { $0.adding("X-Name: Dr\u{FC}cker \u{C3}\u{BC} \u{FF}\u{FE}") },
        Self("80 headers") { $0.adding((1...80).map { "X-\($0): y" }.joined(separator: "\r\n")) },
        Self("RTSP 2.0 in the status line") { $0.with("RTSP/1.0", "RTSP/2.0") },
        Self("no reason phrase") { $0.with(" OK", "") },
        Self("two blanks in the status line") { $0.with("1.0 200", "1.0  200") },
        Self("another success than 200", "OPTIONS") { $0.with("200 OK", "250 Low on Storage Space") },
        Self("CSeq with zeros before it") { $0.with("CSeq: ", "CSeq: 000") },
        Self("Content-Length with zeros before it") { $0.with("Content-Length: ", "Content-Length: 000") },
        Self("Content-Length as a list of the same", "DESCRIBE") {
            $0.with("Content-Length: ", "Content-Length: \(WireServer.description.utf8.count), ")
        },
        // Between the answers.
        Self("frames before every answer") { WireServer.keyFrame + "$\u{1}\u{0}\u{0}" + $0 },
        Self("frames of every length before an answer", "OPTIONS") { answer in
            (0..<40).map { "$\u{7}\u{0}" + String(UnicodeScalar(UInt8($0))) + String(repeating: "$", count: $0) }
                .joined() + answer
        },
        Self("a frame of 65,535 bytes", "DESCRIBE") {
            "$\u{4}\u{FF}\u{FF}" + String(repeating: "R", count: 65_535) + $0
        },
        Self("requests of the server before every answer") {
            "OPTIONS * RTSP/1.0\r\nCSeq: 77\r\n\r\n"
                + "GET_PARAMETER rtsp://x/ RTSP/1.0\r\nCSeq: 78\r\nContent-Length: 3\r\n\r\nabc" + $0
        },
        Self("a request of the server that is not known") { "BREW rtsp://x/ RTSP/1.0\r\nCSeq: 1\r\n\r\n" + $0 },
        // The description.
        Self("it begins with a blank line", "DESCRIBE") { $0.description { "\r\n" + $0 } },
        Self("it begins with a byte order mark", "DESCRIBE") { $0.description { "\u{EF}\u{BB}\u{BF}" + $0 } },
        Self("it ends without a line end", "DESCRIBE") { $0.description { String($0.dropLast(1)) } },
        Self("it ends with NULs", "DESCRIBE") { $0.description { $0 + "\u{0}\u{0}" } },
        Self("lines that nobody knows", "DESCRIBE") {
            $0.description { $0.with("t=0 0", "x\r\n=\r\nz=1 2\r\nq=\r\na=\r\na=:\r\nt=0 0") }
        },
        Self("a port and a number of ports", "DESCRIBE") { $0.description { $0.with("video 0", "video 5000/2") } },
        Self("parameters in another order, with blanks and no value", "DESCRIBE") {
            $0.description {
                $0.with("packetization-mode=1;", " profile-level-id=42C00A ; packetization-mode = 1 ;; foo; ")
            }
        },
        Self("no control at all", "DESCRIBE") {
            $0.description { $0.with("a=control:*\r\n", "").with("a=control:track1\r\n", "") }
        },
        Self("a Content-Type with parameters", "DESCRIBE") {
            $0.with("application/sdp", "application/SDP; charset=utf-8")
        },
        Self("no Content-Type", "DESCRIBE") { $0.with("Content-Type: application/sdp\r\n", "") },
        // SETUP and after.
        Self("a session with every allowed character", "SETUP") { $0.with("12345678", "aZ09$-_.+") },
        Self("a Transport with blanks", "SETUP") {
            $0.with(";unicast;interleaved=0-1", " ; unicast ; interleaved = 0 - 1")
        },
        Self("a Transport of channels and no word of TCP", "SETUP") { $0.with("RTP/AVP/TCP", "RTP/AVP") },
        Self("two Transports, the chosen one first", "SETUP") {
            $0.with("interleaved=0-1", "interleaved=0-1, RTP/AVP;unicast;client_port=4-5")
        },
        Self("the session twice", "SETUP") { $0.adding("Session: 12345678") },
        Self("Connection: close", "SETUP") { $0.adding("Connection: close") },
        Self("no session in the answer to PLAY", "PLAY") { $0.with("Session: 12345678\r\n", "") },
        Self("PAUSE refused", "PAUSE") { $0.with("200 OK", "405 Method Not Allowed") },
        Self("PAUSE answered with nonsense", "PAUSE") { _ in "\u{0}\u{1}\u{2}\r\n\r\n" },
        Self("TEARDOWN refused", "TEARDOWN") { $0.with("200 OK", "454 Session Not Found") },
    ]
}
