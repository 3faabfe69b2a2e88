/// An answer of a server in RTSP (RFC 2326, section 7) or HTTP (RFC 9112, section 4).
struct ResponseMessage: Sendable, Equatable {
    var status: Int
    var reason = ""
    var headers: MessageHeaders = [:]
    var body: [UInt8] = []
}

/// A request in RTSP (RFC 2326, section 6) or HTTP (RFC 9112, section 3).
struct RequestMessage: Sendable, Equatable {
    var method: String
    var url: String
    var version = "RTSP/1.0"
    var headers: MessageHeaders = [:]
    var body: [UInt8] = []

    /// The request as it goes over the wire; we send no body.
    var encoded: String {
        var text = method + " " + url
        text.reserveCapacity(512)
        text += " \(version)\r\n"
        for field in headers.fields {
            text += field.name
            text += ": "
            text += field.value
            text += "\r\n"
        }
        return text + "\r\n"
    }
}
