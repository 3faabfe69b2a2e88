import NIOCore
import NIOHTTP1
import NIOPosix
package import OpenSSL

/// A client of HTTP/1.1, also for servers that are not trusted: heads and bodies have limits, requests have deadlines.
///
/// It follows no redirect and keeps no cookie. A connection carries one request after the other.
package final class HTTPClient: Sendable {
    /// The most connections that are kept open to one server while no request needs them.
    private static let idleLimit = 4

    private let bodyLimit: Int
    private let tls: @Sendable () throws -> TLSContext
    private let loop: any EventLoop
    private let idle: NIOLoopBoundBox<[HTTPOrigin: [HTTPConnection]]>

    /// - Parameters:
    ///   - bodyLimit: The largest body that is accepted as a whole, in bytes.
    ///   - tls: Makes the settings of each connection to an `https` URL.
    package init(bodyLimit: Int, tls: @escaping @Sendable () throws -> TLSContext) {
        self.bodyLimit = bodyLimit
        self.tls = tls
        loop = MultiThreadedEventLoopGroup.singleton.next()
        idle = .makeBoxSendingValue([:], eventLoop: loop)
    }

    deinit {
        loop.execute { [idle] in for connection in idle.value.values.joined() { connection.close() } }
    }

    /// Sends a request, and waits for the end of the answer, whatever its status is.
    ///
    /// Cancelling the task closes the connection. `take` receives the body of a successful answer in pieces; the response
    /// then has none. `limit` ends with the head; the body has no limit of size or time. An error that `take` throws ends
    /// the request; all others are an ``HTTPFailure``.
    package func send(
        _ request: HTTPRequest,
        within limit: Duration,
        streamingTo take: (@Sendable ([UInt8]) throws -> Void)? = nil
    ) async throws -> HTTPResponse {
        let origin = try request.origin
        let head = request.head(to: origin)
        let promise = loop.makePromise(of: HTTPResponse.self)
        return try await withTaskCancellationHandler {
            loop.execute {
                let exchange = HTTPExchange(head, request.body, self.bodyLimit, promise, take)
                self.begin(exchange, with: origin, within: TimeAmount(limit))
            }
            return try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
    }

    private func begin(_ exchange: HTTPExchange, with origin: HTTPOrigin, within limit: TimeAmount) {
        exchange.deadline = loop.assumeIsolated().scheduleTask(in: limit) {
            exchange.timeOut()
            // The other connections to a silent server are likely to be dead as well.
            for connection in self.idle.value.removeValue(forKey: origin) ?? [] { connection.close() }
        }
        exchange.answer.whenComplete { _ in exchange.deadline?.cancel() }
        if let connection = idle.value[origin]?.popLast() {
            run(exchange, on: connection, to: origin)
        } else {
            connect(to: origin, within: limit).whenComplete { result in
                do {
                    let pipeline = try result.get().pipeline.syncOperations
                    self.run(exchange, on: try pipeline.handler(type: HTTPConnection.self), to: origin)
                } catch { exchange.fail(error) }
            }
        }
    }

    private func run(_ exchange: HTTPExchange, on connection: HTTPConnection, to origin: HTTPOrigin) {
        // First of all, since the answer may be there already.
        connection.begin(exchange)
        exchange.answer.whenComplete { result in
            let others = self.idle.value[origin, default: []]
            if case .success = result, connection.isReusable, others.count < Self.idleLimit {
                self.idle.value[origin] = others + [connection]
            } else {
                connection.close()
            }
        }
    }

    private func connect(to origin: HTTPOrigin, within limit: TimeAmount) -> EventLoopFuture<any Channel>.Isolated {
        let future = ClientBootstrap(group: loop)
            .connectTimeout(limit)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { [tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if origin.isSecure { try pipeline.addHandler(TLSHandler(context: tls(), host: origin.host)) }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(HTTPConnection(isReady: !origin.isSecure))
                }
            }
            .connect(host: origin.host, port: origin.port)
        future.whenSuccess { [weak self] channel in
            channel.closeFuture.whenComplete { _ in
                self?.idle.value[origin]?.removeAll { !$0.isReusable }
            }
        }
        return future.assumeIsolated()
    }
}
