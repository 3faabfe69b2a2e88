import NIOCore

/// The beginning of a probe's pipeline: remembers whether the peer ever sent a byte, which TLS above does not tell, and
/// stops reading from one that sends more than a stage needs.
final class FirstByteHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Bytes that a server may still send while the connection is closed in order; a second of any video fits.
    static let farewell = 1 << 20

    /// The peer has sent more than ``allow(_:)`` allows.
    struct Flood: Sendable {}

    private(set) var hasSeenBytes = false
    /// How many more bytes are read before it is a flood.
    private var allowance = Int.max
    private var isFlooded = false
    /// Set on the way out: how many more bytes are taken before the connection is cut.
    var budget: Int?

    /// How many bytes the peer may send from here on.
    func allow(_ bytes: Int) { allowance = bytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasSeenBytes = true
        if budget == nil {
            allowance -= unwrapInboundIn(data).readableBytes
            if allowance < 0 {
                // To read on would cost a processor until the deadline.
                if !isFlooded { context.fireUserInboundEventTriggered(Flood()) }
                isFlooded = true
                return
            }
        }
        if let left = budget {
            guard left > 0 else { return context.close(promise: nil) }
            budget = left - unwrapInboundIn(data).readableBytes
        }
        context.fireChannelRead(data)
    }
}
