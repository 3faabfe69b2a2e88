import NIOCore

/// Limits how many bytes the peer may send, and remembers whether it sent any: TLS does not report that.
final class FirstByteHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Bytes that a server may still send while the connection is closed in order; a second of any video fits.
    static let teardownAllowance = 1 << 20

    /// The peer has sent more than ``allow(_:)`` allows.
    struct Flood: Sendable {}

    private(set) var hasSeenBytes = false
    /// How many more bytes are read before it is a flood.
    private var allowance = Int.max
    private var isFlooded = false
    /// Whether the probe is leaving: then a flood ends the connection.
    private var isLeaving = false

    /// How many bytes the peer may send from here on.
    func allow(_ bytes: Int) { allowance = bytes }

    /// The probe is leaving: the peer may send only what belongs to an orderly end.
    func leave() { (allowance, isLeaving) = (Self.teardownAllowance, true) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasSeenBytes = true
        allowance -= unwrapInboundIn(data).readableBytes
        guard allowance >= 0 else {
            if isLeaving { return context.close(promise: nil) }
            // Reading on would cost processor time until the deadline.
            if !isFlooded { context.fireUserInboundEventTriggered(Flood()) }
            isFlooded = true
            return
        }
        context.fireChannelRead(data)
    }
}
