import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes slow connections, and connections whose answer says `Connection: close`.
///
/// A slow client must not hold one of the few connections.
final class ConnectionLimits: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many connections there are at once; more wait.
    static let connections = 64
    /// How many of them event streams may take.
    static let eventStreams = connections * 3 / 4
    /// How long a request may take to arrive.
    static let readDeadline = TimeAmount.seconds(10)
    /// How long a client may take to read what was written.
    static let writeDeadline = TimeAmount.seconds(30)

    private var timer: Scheduled<Void>?
    private var isReading = true
    private var closesAfterAnswer = false

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startTimer(context, Self.readDeadline) }
    }

    func channelActive(context: ChannelHandlerContext) {
        startTimer(context, Self.readDeadline)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head where !isReading:
            isReading = true
            startTimer(context, Self.readDeadline)
        case .head: break
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
        if !context.channel.isWritable { startTimer(context, Self.writeDeadline) }
        context.fireChannelWritabilityChanged()
    }

    private func startTimer(_ context: ChannelHandlerContext, _ deadline: TimeAmount) {
        timer?.cancel()
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: deadline) {
            if handler.value.isReading || !channel.isWritable { channel.close(promise: nil) }
        }
    }
}
