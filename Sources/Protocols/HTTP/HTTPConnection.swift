import NIOCore
import NIOHTTP1
import OpenSSL

/// The end of a connection's pipeline: it sends one request after the other, each after the answer to the one before.
final class HTTPConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private var context: ChannelHandlerContext?
    private var exchange: HTTPExchange?
    private var failure: (any Error)?
    /// False until the end of the TLS handshake: no request is sent, or counted as sent, before.
    private var isReady: Bool

    init(isReady: Bool) { self.isReady = isReady }

    var isReusable: Bool { context?.channel.isActive == true && failure == nil && exchange?.keepsConnection != false }

    /// Begins a request, as soon as the connection can carry it.
    func begin(_ exchange: HTTPExchange) {
        self.exchange = exchange
        if let failure { exchange.fail(failure) } else if isReady { send() }
    }

    func close() { context?.close(promise: nil) }

    private func send() {
        guard let context, let exchange, !exchange.isOver else { return }
        exchange.isSent = true
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if !exchange.body.isEmpty {
            let body = context.channel.allocator.buffer(bytes: exchange.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func fail(_ error: any Error) {
        failure = failure ?? error
        exchange?.fail(error)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(ChannelError.eof)
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is TLSHandshakeCompleted {
            isReady = true
            send()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { exchange?.receive(unwrapInboundIn(data)) }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ChannelError.eof)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
        context.close(promise: nil)
    }
}

final class HTTPExchange {
    let head: HTTPRequestHead
    let body: [UInt8]
    /// Whether the server may have read the request.
    var isSent = false
    /// Ends the exchange; cancelled when there is an answer.
    var deadline: Scheduled<Void>?
    /// Whether the server leaves the connection open after the answer.
    private(set) var keepsConnection = false
    private(set) var isOver = false

    private let bodyLimit: Int
    private let promise: EventLoopPromise<HTTPResponse>
    private let take: (([UInt8]) throws -> Void)?
    private var isStreaming = false
    private var response = HTTPResponse()

    init(
        _ head: HTTPRequestHead,
        _ body: [UInt8],
        _ bodyLimit: Int,
        _ promise: EventLoopPromise<HTTPResponse>,
        _ take: (([UInt8]) throws -> Void)?
    ) {
        self.head = head
        self.body = body
        self.bodyLimit = bodyLimit
        self.promise = promise
        self.take = take
        // Also when the caller cancels.
        answer.whenComplete { _ in self.isOver = true }
    }

    var answer: EventLoopFuture<HTTPResponse>.Isolated { promise.futureResult.assumeIsolated() }

    func fail(_ error: any Error) { promise.fail(HTTPFailure(error, isSent: isSent)) }

    func timeOut() {
        let missing = isSent ? "answer" : "connection"
        fail(HTTPFailure(.timedOut, "no \(missing) within the time limit", isSent: isSent))
    }

    func receive(_ part: HTTPClientResponsePart) {
        guard !isOver else { return }
        switch part {
        case .head(let head):
            response.status = Int(head.status.code)
            keepsConnection = head.isKeepAlive
            isStreaming = take != nil && response.isSuccess
            if isStreaming { deadline?.cancel() }
        case .body(let bytes) where isStreaming:
            do { try take?(Array(bytes.readableBytesView)) } catch { promise.fail(error) }
        case .body(let bytes):
            response.body += bytes.readableBytesView
            guard response.body.count > bodyLimit else { return }
            fail(HTTPFailure(.tooLarge, "the answer is larger than \(bodyLimit) bytes", isSent: isSent))
        case .end: promise.succeed(response)
        }
    }
}
