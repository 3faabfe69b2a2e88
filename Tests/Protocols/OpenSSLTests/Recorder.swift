import NIOCore
import OpenSSL
import Synchronization

/// Remembers what reaches the end of a pipeline; readable from any thread.
final class Recorder: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    struct Seen: Sendable {
        var bytes: [UInt8] = []
        var handshake: TLSHandshakeCompleted?
        var end: TLSInputClosed?
        var failures: [TLSFailure] = []
        var isInactive = false
    }

    private let seen = Mutex(Seen())
    private let echoes: Bool

    init(echoes: Bool = false) { self.echoes = echoes }

    var value: Seen { seen.withLock { $0 } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        seen.withLock { $0.bytes += buffer.readableBytesView }
        if echoes { context.writeAndFlush(NIOAny(buffer), promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        seen.withLock { seen in
            if let event = event as? TLSHandshakeCompleted { seen.handshake = event }
            if let event = event as? TLSInputClosed { seen.end = event }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        seen.withLock { if let error = error as? TLSFailure { $0.failures.append(error) } }
    }

    func channelInactive(context: ChannelHandlerContext) {
        seen.withLock { $0.isInactive = true }
    }
}
