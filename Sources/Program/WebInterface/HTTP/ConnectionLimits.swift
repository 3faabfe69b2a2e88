import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Closes its connection when the client is slow, or after an answer with `Connection: close`, and tells
/// ``ConnectionPlaces`` what the connection does.
///
/// A slow client must not hold one of the few connections.
final class ConnectionLimits: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many connections there are at once, besides those of viewers; a new one takes the place of another.
    static let connections = 64
    /// How many of these connections one address may have before it signs in.
    static let share = connections / 4
    static let eventStreams = connections * 3 / 4
    /// How many connection tests may run at once; each may take a minute.
    static let tests = 4
    static let readDeadline = TimeAmount.seconds(10)
    /// How long a client may take to read what was written.
    static let writeDeadline = TimeAmount.seconds(30)
    /// How long answers may take when the bridge ends.
    static let shutdownTime = Duration.seconds(2)

    private let places: ConnectionPlaces
    private let readDeadline: TimeAmount
    private var timer: Scheduled<Void>?
    private var isReading = true
    /// The number of requests minus the number of answers; below zero while an answer is ahead of its request's end.
    private var unanswered = 0
    private var closesAfterAnswer = false

    init(_ places: ConnectionPlaces, readDeadline: TimeAmount) {
        self.places = places
        self.readDeadline = readDeadline
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
            // The codec hides the version of a request.
            try? pipeline.addHandler(HeadCheck(places), position: .before(codec))
        }
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        places.remove(PageConnection(channel: context.channel))
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head where !isReading:
            isReading = true
            report(context)
            startTimer(context, readDeadline)
        case .head, .body: break
        case .end:
            isReading = false
            unanswered += 1
            report(context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): closesAfterAnswer = head.headerFields[.connection] == "close"
        case .body: break
        case .end:
            unanswered -= 1
            report(context)
            guard closesAfterAnswer else { break }
            context.writeAndFlush(data, promise: promise)
            return context.close(mode: .output, promise: nil)
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        report(context)
        if !context.channel.isWritable { startTimer(context, Self.writeDeadline) }
        context.fireChannelWritabilityChanged()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard places.admit(PageConnection(channel: context.channel)) else { return context.close(promise: nil) }
        startTimer(context, readDeadline)
    }

    private func report(_ context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        places.set(
            !isWritable ? .stalled : isReading ? .receiving : unanswered > 0 ? .answering : .idle,
            of: PageConnection(channel: context.channel)
        )
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
