/// One unit on an RTSP connection (RFC 2326, sections 4 and 10.12).
enum RTSPMessage: Sendable, Hashable {
    case response(RTSPResponse)
    /// A request of the server.
    case request(RTSPRequest)
    /// A binary frame between messages, RTP or RTCP by its channel.
    case interleaved(channel: UInt8, payload: [UInt8])
}

struct RTSPResponse: Sendable, Hashable {
    var status: Int
    var reason = ""
    var headers = RTSPHeaders()
    var body: [UInt8] = []
}

struct RTSPRequest: Sendable, Hashable {
    var method: String
    var url: String
    var version = "RTSP/1.0"
    var headers = RTSPHeaders()
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
