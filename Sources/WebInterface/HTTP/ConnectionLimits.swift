import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes connections that are slow, and those whose answer said so.
///
/// A request has to arrive within ``deadline``, and a reader has to take some of the answer within the same time: a slow
/// client cannot hold one of the few connections.
final class ConnectionLimits: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many connections there are at once; more wait.
    static let connections = 64
    /// How long a request may take to arrive, and a reader to take what was written.
    static let deadline = TimeAmount.seconds(10)

    private var timer: Scheduled<Void>?
    private var isReading = true
    private var closesAfterAnswer = false

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startTimer(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        startTimer(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: if !isReading { startTimer(context) }
        case .body: break
        case .end: isReading = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): closesAfterAnswer = head.headerFields[.connection] == "close"
        case .body: break
        case .end where closesAfterAnswer:
            context.writeAndFlush(data, promise: promise)
            return context.close(mode: .output, promise: nil)
        case .end: break
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if !context.channel.isWritable { startTimer(context) }
        context.fireChannelWritabilityChanged()
    }

    private func startTimer(_ context: ChannelHandlerContext) {
        timer?.cancel()
        isReading = true
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: Self.deadline) {
            if handler.value.isReading || !channel.isWritable { channel.close(promise: nil) }
        }
    }
}
