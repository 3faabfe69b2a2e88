/// One unit on an RTSP connection (RFC 2326, sections 4 and 10.12).
package enum RTSPMessage: Sendable, Equatable {
    case response(ResponseMessage)
    /// A request of the server.
    case request(RequestMessage)
    /// A binary frame between messages, RTP or RTCP by its channel.
    case interleaved(channel: UInt8, payload: [UInt8])
}
