import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Answers GET requests with pages; one request for each connection.
final class StatusServer: Sendable {
    typealias Page = @Sendable (_ path: String) async -> StatusPage

    /// Connections at once; more are closed.
    static let connectionLimit = 32
    /// A connection that has not asked by then is closed.
    static let patience = TimeAmount.seconds(10)

    /// Why it cannot listen.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The port that it listens on.
    var port: Int { channel.localAddress?.port ?? 0 }
    private let channel: any Channel

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The TCP port; 0 picks a free one.
    ///   - page: Makes the answer.
    /// - Throws: When the port cannot be used.
    init(host: String, port: Int, page: @escaping Page) async throws {
        let loops: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
        let connections = ConnectionCount()
        let bootstrap = ServerBootstrap(group: loops)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard connections.add(until: channel) else { throw ChannelError.inputClosed }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    try pipeline.addHandler(IdleStateHandler(allTimeout: Self.patience))
                    try pipeline.addHandler(StatusHandler(page: page))
                }
            }
        do { channel = try await bootstrap.bind(host: host, port: port).get() } catch {
            throw Failure(description: "\(host):\(port) cannot be listened on (http.host, http.port): \(error)")
        }
    }

    /// Ends it.
    func stop() async { try? await channel.close() }
}

/// How many connections there are.
private final class ConnectionCount: Sendable {
    private let count = Mutex(0)

    /// Counts one in as long as it is open; false when there are too many.
    func add(until channel: any Channel) -> Bool {
        let isWelcome = count.withLock { count in
            guard count < StatusServer.connectionLimit else { return false }
            count += 1
            return true
        }
        if isWelcome {
            channel.closeFuture.whenComplete { _ in self.count.withLock { $0 -= 1 } }
        }
        return isWelcome
    }
}

private final class StatusHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let page: StatusServer.Page
    private var head: HTTPRequestHead?
    private var isAnswering = false

    init(page: @escaping StatusServer.Page) { self.page = page }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = self.head ?? head
        case .body: break
        case .end:
            guard let head, !isAnswering else { return }
            isAnswering = true
            guard head.method == .GET || head.method == .HEAD else {
                let refusal = StatusPage(status: 405, contentType: "text/plain", body: "Only GET.\n")
                return Self.write(refusal, for: head, to: context.channel)
            }
            let (channel, page) = (context.channel, page)
            channel.eventLoop.makeFutureWithTask { await page(head.uri) }
                .whenSuccess { Self.write($0, for: head, to: channel) }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private static func write(_ page: StatusPage, for head: HTTPRequestHead, to channel: any Channel) {
        let body = ByteBuffer(string: page.body)
        let headers: HTTPHeaders = [
            "Content-Type": page.contentType, "Content-Length": "\(body.readableBytes)", "Connection": "close",
            "Cache-Control": "no-store",
        ]
        let status = HTTPResponseStatus(statusCode: page.status)
        channel.write(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: headers)),
            promise: nil
        )
        if head.method != .HEAD { channel.write(HTTPServerResponsePart.body(.byteBuffer(body)), promise: nil) }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }
}
