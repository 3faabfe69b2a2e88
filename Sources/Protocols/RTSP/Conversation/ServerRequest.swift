/// Requests that a server sends to its client (RFC 2326, section 10).
enum ServerRequest {
    /// The answer as it goes over the wire: "fine" to signs of life and mere news, else "not implemented".
    static func answer(to request: RequestMessage) -> String {
        let isFine = ["OPTIONS", "GET_PARAMETER", "SET_PARAMETER", "ANNOUNCE", "REDIRECT", "TEARDOWN"].contains(
            request.method
        )
        var text = isFine ? "RTSP/1.0 200 OK\r\n" : "RTSP/1.0 501 Not Implemented\r\n"
        if let sequence = request.headers["CSeq"] { text += "CSeq: \(sequence)\r\n" }
        if let session = request.headers["Session"] { text += "Session: \(session)\r\n" }
        if request.method == "OPTIONS" { text += "Public: OPTIONS, GET_PARAMETER, SET_PARAMETER\r\n" }
        return text + "\r\n"
    }
}
