/// An answer of a server in RTSP (RFC 2326, section 7) or HTTP (RFC 9112, section 4).
package struct ResponseMessage: Sendable, Equatable {
    package var status: Int
    package var reason = ""
    package var headers: MessageHeaders = [:]
    package var body: [UInt8] = []
}

/// A request in RTSP (RFC 2326, section 6) or HTTP (RFC 9112, section 3).
package struct RequestMessage: Sendable, Equatable {
    package var method: String
    package var url: String
    package var version = "RTSP/1.0"
    package var headers: MessageHeaders = [:]
    package var body: [UInt8] = []

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
