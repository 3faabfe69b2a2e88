import NIOHTTP1

/// An answer of a server in RTSP (RFC 2326, section 7) or HTTP (RFC 9112, section 4).
struct ResponseMessage: Sendable, Equatable {
    var status: Int
    var reason = ""
    var headers = HTTPHeaders()
    var body: [UInt8] = []
}

/// A request in RTSP (RFC 2326, section 6) or HTTP (RFC 9112, section 3).
struct RequestMessage: Sendable, Equatable {
    var method: String
    var url: String
    var version = "RTSP/1.0"
    var headers = HTTPHeaders()
    var body: [UInt8] = []

    /// The request as it goes over the wire; we send no body.
    var encoded: String {
        var text = method + " " + url
        text.reserveCapacity(512)
        text += " \(version)\r\n"
        for (name, value) in headers {
            text += name
            text += ": "
            text += value
            text += "\r\n"
        }
        return text + "\r\n"
    }
}
