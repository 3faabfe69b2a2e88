package import NIOCore
import NIOPosix
package import OpenSSL
import Synchronization

/// A server of 127.0.0.1 that answers each request with what a test says, whether it is HTTP or not.
package final class ScriptedServer: Sendable {
    /// What it does when a request has come.
    package struct Reply: Sendable {
        /// What it does after the last piece.
        package enum End: Sendable {
            case silence, close, reset
            /// The last piece is sent without end.
            case flood
        }

        /// Each is sent by itself.
        package var pieces: [[UInt8]]
        fileprivate let end: End
        fileprivate let interval: TimeAmount

        package init(_ parts: any HTTPBytes..., end: End = .silence, interval: TimeAmount = .zero) {
            self.init(parts, end: end, interval: interval)
        }

        package init(_ parts: [any HTTPBytes], end: End = .silence, interval: TimeAmount = .zero) {
            (pieces, self.end, self.interval) = (parts.map(\.httpBytes), end, interval)
        }

        /// The bytes one by one.
        package static func drip(_ bytes: any HTTPBytes, every interval: TimeAmount) -> Self {
            Self(bytes.httpBytes.map { [$0] as [UInt8] }, interval: interval)
        }
    }

    private struct Seen {
        var requests: [(connection: Int, text: String)] = []
        var opened = 0
        var open = 0
    }

    private final class Box: Sendable { let value = Mutex(Seen()) }

    /// Its own: a flood keeps no client from its work.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    private let channel: any Channel
    private let seen = Box()

    /// Its requests in order, with the number of their connection.
    package var requests: [(connection: Int, text: String)] { seen.value.withLock(\.requests) }
    /// How many connections were made to it.
    package var opened: Int { seen.value.withLock(\.opened) }
    /// How many of them have not ended.
    package var open: Int { seen.value.withLock(\.open) }
    package var port: Int { channel.localAddress?.port ?? 0 }

    package init(tls: TLSContext? = nil, _ reply: @escaping @Sendable (_ request: String) -> Reply?) async throws {
        channel = try await ServerBootstrap(group: Self.group)
            .serverChannelOption(.backlog, value: 512)
            .childChannelInitializer { [seen] channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = seen.value.withLock { seen in
                        seen.opened += 1
                        seen.open += 1
                        return seen.opened
                    }
                    channel.closeFuture.whenComplete { _ in seen.value.withLock { $0.open -= 1 } }
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(TLSHandler(context: tls)) }
                    try pipeline.addHandler(
                        Handler { request in
                            seen.value.withLock { $0.requests.append((number, request)) }
                            return reply(request)
                        }
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }

    deinit { channel.close(promise: nil) }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let reply: (String) -> Reply?
        private var received = ""

        init(_ reply: @escaping (String) -> Reply?) { self.reply = reply }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
            guard received.contains("\r\n\r\n") else { return }
            let request = received
            received = ""
            if let reply = reply(request) { send(reply, from: 0, context) }
        }

        private func send(_ reply: Reply, from index: Int, _ context: ChannelHandlerContext) {
            guard context.channel.isActive else { return }
            guard index < reply.pieces.count else { return end(reply, context) }
            let buffer = context.channel.allocator.buffer(bytes: reply.pieces[index])
            let isLast = reply.end == .flood && index == reply.pieces.count - 1
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenSuccess {
                let next = isLast ? index : index + 1
                let loop = context.eventLoop.assumeIsolated()
                if reply.interval > .zero {
                    loop.scheduleTask(in: reply.interval) { self.send(reply, from: next, context) }
                } else {
                    loop.execute { self.send(reply, from: next, context) }
                }
            }
            context.writeAndFlush(wrapOutboundOut(buffer), promise: written)
        }

        private func end(_ reply: Reply, _ context: ChannelHandlerContext) {
            switch reply.end {
            case .silence, .flood: break
            case .close: context.close(promise: nil)
            case .reset:
                let lingers = (context.channel as? any SocketOptionProvider)?.setSoLinger(
                    linger(l_onoff: 1, l_linger: 0)
                )
                lingers?.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

extension ScriptedServer.Reply: CustomStringConvertible {
    /// Short: a test's arguments are printed.
    package var description: String { "\(pieces.count) pieces, then \(end)" }
}

/// What an answer is made of.
package protocol HTTPBytes: Sendable { var httpBytes: [UInt8] { get } }
extension String: HTTPBytes { package var httpBytes: [UInt8] { Array(utf8) } }
extension [UInt8]: HTTPBytes { package var httpBytes: [UInt8] { self } }
extension ArraySlice<UInt8>: HTTPBytes { package var httpBytes: [UInt8] { Array(self) } }

/// For cameras whose connections are counted: on one of many threads, or beside others' work, a close that is seen late would
/// count as two at once.
package let countingThread: any EventLoopGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
