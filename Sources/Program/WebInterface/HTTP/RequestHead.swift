import ForeignText
import NIOCore
import NIOHTTP1
import StoredSettings

extension HTTPRequestHead {
    /// Why a request is refused before anything of it is looked at; nil if it is not.
    var fault: String? {
        let hosts = headers["Host"]
        // RFC 9112, section 3.2: proxies and servers would disagree about which one counts.
        guard hosts.count <= 1 else { return "A request must have one Host header." }
        // NIO's decoder has checked the path already.
        guard hosts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return "The Host header must be ASCII." }
        guard headers.allSatisfy({ $0.value.isStreamSafe }) else {
            return "A header must not have more than \(String.combiningMarkLimit) combining marks in a row."
        }
        return nil
    }
}

/// Answers requests whose head is refused, ends connections after the last answer, and sends no chunks where there must be none.
final class HeadCheck: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let places: ConnectionPlaces
    private var refusal: (status: HTTPResponseStatus, fault: String)?
    /// Requests that were passed on, less those that are answered.
    private var unanswered = 0
    private var version = HTTPVersion.http1_1

    init(_ places: ConnectionPlaces) { self.places = places }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        version = head.version
        if let fault = head.fault {
            refusal = (.badRequest, fault)
        } else if !places.admitsRequest(head, on: PageConnection(channel: context.channel)) {
            refusal = (.tooManyRequests, "Too many requests: sign in, or wait some seconds.")
        }
        guard refusal == nil else { return refuse(context) }
        unanswered += 1
        // The server closes after a request that says exactly this. HTTP/1.0 does so by default, and 'close' may be one of
        // several options in any case (RFC 9112, section 9.3). No answer offers to keep a connection of HTTP/1.0.
        if version == .http1_0 || !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Answers the refused request, after the answers to those before it (RFC 9112, section 9.3.2).
    private func refuse(_ context: ChannelHandlerContext) {
        guard let refusal, unanswered == 0 else { return }
        let body = ByteBuffer(string: refusal.fault + "\n")
        var headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(body.readableBytes)",
            "Connection": "close",
        ]
        if refusal.status == .tooManyRequests { headers.add(name: "Retry-After", value: "5") }
        let answer = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
        context.write(wrapOutboundOut(.head(answer)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.close(mode: .output, promise: nil)
    }

    /// A client of HTTP/1.0 knows no chunks (RFC 9112, section 6.1), and an answer to HEAD whose length is not known has none.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if version == .http1_0 || head.headers.contains(name: "Transfer-Encoding") { head.version = .http1_0 }
            head.headers.remove(name: "Transfer-Encoding")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            unanswered -= 1
            refuse(context)
        }
    }
}
