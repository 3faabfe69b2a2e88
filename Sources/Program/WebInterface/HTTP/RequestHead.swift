import HTTPTypes
import NIOCore
import NIOHTTPTypes
import StoredSettings

extension HTTPRequest {
    /// Why a request is refused before anything of it is looked at; nil if it is not.
    var headFault: String? {
        // RFC 9112, section 3.2: proxies and servers would disagree about which one counts.
        if headerFields[.host] != nil { return "A request must have one Host header." }
        // Of the path, NIO's decoder has made sure.
        guard authority?.utf8.allSatisfy({ $0 < 0x80 }) ?? true else { return "The Host header must be ASCII." }
        guard headerFields.allSatisfy({ $0.value.isStreamSafe }) else {
            return "A header must not have more than \(String.combiningMarkLimit) combining marks in a row."
        }
        return nil
    }
}

/// Answers requests whose head is refused, and closes their connections.
final class RequestHeadCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        guard case .head(let head) = unwrapInboundIn(data), let fault = head.headFault else {
            return context.fireChannelRead(data)
        }
        hasRefused = true
        let body = ByteBuffer(string: fault + "\n")
        let headers: HTTPFields = [
            .contentType: "text/plain; charset=utf-8", .contentLength: "\(body.readableBytes)", .connection: "close",
        ]
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .badRequest, headerFields: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
