import NIOCore
import OpenSSL

/// The end of a probe's pipeline: turns reads and errors into the state machine's events.
final class ProbeHandler<Conversation: StreamConversation>: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    typealias Event = ProbeStateMachine<Conversation>.Event

    private let send: (Event) -> Void
    private let firstByte: FirstByteHandler
    private(set) var parser = Conversation.Parser()
    private var hasEnded = false
    /// How many more messages are read before it is a flood.
    private var allowance = Int.max

    /// Calls `send` with each event, on the channel's event loop.
    init(firstByte: FirstByteHandler, send: @escaping (Event) -> Void) {
        self.firstByte = firstByte
        self.send = send
    }

    /// How many messages the server may send from here on.
    func allow(_ messages: Int) { allowance = messages }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        parser.append(unwrapInboundIn(data).readableBytesView)
        do {
            while !hasEnded, let message = try parser.next() {
                allowance -= 1
                guard allowance >= 0 else { return end(.flooded(parser.unfinished)) }
                send(.message(message))
            }
        } catch {
            end(.unreadable("\(error)", parser.unfinished))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let handshake as TLSHandshakeCompleted: send(.secured(handshake))
        case is FirstByteHandler.Flood: end(.flooded(parser.unfinished))
        case is TLSInputClosed, ChannelEvent.inputClosed: end(.ended(.closed, parser.unfinished))
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

    private func end(_ event: Event) {
        guard !hasEnded else { return }
        hasEnded = true
        send(event)
    }
}
