struct CameraResponse: Sendable {
    var status: String
    var headers: [(name: String, value: String)]
    var body: String

    init(_ status: String, _ headers: [(String, String)] = [], body: String = "") {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// The bytes on the wire, with the headers that LIVE555 puts into every answer.
    func text(sequence: String, date: String) -> String {
        var text = "RTSP/1.0 \(status)\r\nCSeq: \(sequence)\r\nDate: \(date)\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        return text + "\r\n" + body
    }
}
