import NIOCore

/// The beginning of a probe's pipeline: remembers whether the peer ever sent a byte, which TLS above does not tell,
/// and does not wait on the way out for one that never stops sending.
final class FirstByteHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Bytes that a server may still send while the connection is closed in order; a second of any video fits.
    static let farewell = 1 << 20

    private(set) var hasSeenBytes = false
    /// Set on the way out: how many more bytes are taken before the connection is cut.
    var budget: Int?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasSeenBytes = true
        if let left = budget {
            guard left > 0 else { return context.close(promise: nil) }
            budget = left - unwrapInboundIn(data).readableBytes
        }
        context.fireChannelRead(data)
    }
}
