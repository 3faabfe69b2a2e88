import NIOCore
import OpenSSL

/// The end of a probe's pipeline: turns what the channel says into the state machine's events.
final class ProbeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let send: (ProbeStateMachine.Event) -> Void
    private let firstByte: FirstByteHandler
    private var parser = RTSPParser()
    private var hasEnded = false

    /// - Parameters:
    ///   - firstByte: The pipeline's other end.
    ///   - send: Takes the events, on the channel's event loop.
    init(firstByte: FirstByteHandler, send: @escaping (ProbeStateMachine.Event) -> Void) {
        self.firstByte = firstByte
        self.send = send
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        parser.append(unwrapInboundIn(data).readableBytesView)
        do {
            while let message = try parser.next() { send(.message(message)) }
        } catch {
            end(.unreadable(error))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let handshake as TLSHandshakeCompleted: send(.secured(handshake))
        case is TLSInputClosed: end(.ended(.closed))
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let failure = error as? TLSFailure {
            end(.tlsFailed(failure, sawBytes: firstByte.hasSeenBytes))
        } else {
            end(.ended(.reset))
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.ended(.closed))
        context.fireChannelInactive()
    }

    private func end(_ event: ProbeStateMachine.Event) {
        guard !hasEnded else { return }
        hasEnded = true
        send(event)
    }
}

/// The beginning of a probe's pipeline: remembers whether the peer ever sent a byte, which TLS above does not tell,
/// and does not wait on the way out for one that never stops sending.
final class FirstByteHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

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
