import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import OpenSSL
import RTSP

/// One request to a web service, over a connection of its own.
///
/// Nothing in its errors names the request's target, which may hold a secret.
package struct HTTPCall: Sendable {
    /// What came back.
    struct Answer: Sendable, Hashable {
        /// The status code.
        var status: Int
        var body: [UInt8]
        /// The body as text.
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Why there was no answer.
    package enum Failure: String, Error, CustomStringConvertible {
        case badAddress = "the address must be http://host:port or https://host:port"
        case cutShort = "the connection was closed before the answer"
        case tooLarge = "the answer is too large"
        case timedOut = "there was no answer in time"

        package var description: String { rawValue }
    }

    /// More than the answers of the services that are asked.
    static let largest = 8 << 20

    private let method: HTTPMethod
    private let url: URL

    init(_ method: HTTPMethod, _ url: URL) {
        self.method = method
        self.url = url
    }

    /// Sends it, and waits for the answer.
    func run(within limit: TimeAmount = .seconds(5)) async throws -> Answer {
        guard let scheme = url.scheme, ["http", "https"].contains(scheme), let host = url.host(percentEncoded: false)
        else { throw Failure.badAddress }
        let isSecured = scheme == "https"
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: Answer.self)
        let request = request(to: host)
        let timeout = loop.scheduleTask(in: limit) { promise.fail(Failure.timedOut) }
        let connection = ClientBootstrap(group: loop)
            .connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if isSecured {
                        try pipeline.addHandler(TLSHandler(context: TLSContext.shared(trust: .system), host: host))
                    }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(HTTPCallHandler(request, promise))
                }
            }
            .connect(host: host, port: url.port ?? (isSecured ? 443 : 80))
        connection.whenFailure { promise.fail($0) }
        connection.whenSuccess { channel in promise.futureResult.whenComplete { _ in channel.close(promise: nil) } }
        promise.futureResult.whenComplete { _ in timeout.cancel() }
        return try await promise.futureResult.get()
    }

    private func request(to host: String) -> HTTPRequestHead {
        let path = url.path(percentEncoded: true)
        let target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
        let name = IPLiteral.bracketed(host)
        var headers: HTTPHeaders = [
            "Host": url.port.map { "\(name):\($0)" } ?? name, "Connection": "close", "Content-Length": "0",
        ]
        if let user = url.user(percentEncoded: false) {
            let account = "\(user):\(url.password(percentEncoded: false) ?? "")"
            headers.add(name: "Authorization", value: "Basic " + Data(account.utf8).base64EncodedString())
        }
        return HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
    }
}

private final class HTTPCallHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: HTTPRequestHead
    private let promise: EventLoopPromise<HTTPCall.Answer>
    private var status = 0
    private var body = ByteBuffer()

    init(_ request: HTTPRequestHead, _ promise: EventLoopPromise<HTTPCall.Answer>) {
        self.request = request
        self.promise = promise
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(request)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): status = Int(head.status.code)
        case .body(var part):
            body.writeBuffer(&part)
            if body.readableBytes > HTTPCall.largest { promise.fail(HTTPCall.Failure.tooLarge) }
        case .end: promise.succeed(HTTPCall.Answer(status: status, body: Array(body.readableBytesView)))
        }
    }

    func channelInactive(context: ChannelHandlerContext) { promise.fail(HTTPCall.Failure.cutShort) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { promise.fail(error) }
}
