import NIOCore
import NIOPosix
import OpenSSL
import Synchronization

/// A server of 127.0.0.1 that answers each request with the bytes of a script, whether they are HTTP or not.
final class ScriptedServer: Sendable {
    /// What it does when a request has come.
    struct Reply: Sendable {
        var text: String
        /// Whether it closes the connection afterwards.
        var closes = false
        /// Whether it repeats the text without end.
        var isEndless = false
    }

    private struct Seen {
        var requests: [String] = []
        var opened = 0
        var closed = 0
    }

    private let channel: any Channel
    private let seen: SeenBox

    private final class SeenBox: Sendable { let value = Mutex(Seen()) }

    /// Its requests, in order.
    var requests: [String] { seen.value.withLock(\.requests) }
    /// How many connections were made to it.
    var opened: Int { seen.value.withLock(\.opened) }
    /// How many of them have ended.
    var closed: Int { seen.value.withLock(\.closed) }
    var port: Int { channel.localAddress?.port ?? 0 }

    init(tls: TLSContext? = nil, _ reply: @escaping @Sendable (_ request: String) -> Reply?) async throws {
        let seen = SeenBox()
        self.seen = seen
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    seen.value.withLock { $0.opened += 1 }
                    channel.closeFuture.whenComplete { _ in seen.value.withLock { $0.closed += 1 } }
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(TLSHandler(context: tls)) }
                    try pipeline.addHandler(
                        Conversation { request in
                            seen.value.withLock { $0.requests.append(request) }
                            return reply(request)
                        }
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }

    deinit { channel.close(promise: nil) }

    private final class Conversation: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let reply: (String) -> Reply?
        private var unread = ""

        init(_ reply: @escaping (String) -> Reply?) { self.reply = reply }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            unread += String(buffer: unwrapInboundIn(data))
            guard unread.contains("\r\n\r\n") else { return }
            let request = unread
            unread = ""
            guard let reply = reply(request) else { return }
            send(reply, context)
        }

        private func send(_ reply: Reply, _ context: ChannelHandlerContext) {
            let loop = context.eventLoop.assumeIsolated()
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.assumeIsolated().whenSuccess {
                if reply.isEndless { loop.execute { self.send(reply, context) } }
                if reply.closes { context.close(promise: nil) }
            }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: reply.text)), promise: sent)
        }
    }
}
