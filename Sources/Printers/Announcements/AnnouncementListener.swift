import NIOCore
import NIOPosix
import Platform
import Printers

/// Hears the printers' announcements on a UDP port.
///
/// Several programs on one host may listen. Only what passes ``RateLimit`` is looked at, and only what is an
/// announcement gets through.
package final class AnnouncementListener: Sendable {
    package static let port = 2021
    private static let group = "239.255.255.250"

    /// The announcements; a slow reader gets the newest ones.
    package let announcements: AsyncStream<PrinterAnnouncement>
    var port: Int { channel.localAddress?.port ?? 0 }
    private let channel: any Channel

    /// Listens on a UDP port of a numeric address; port 0 picks a free one.
    package init(host: String = "0.0.0.0", port: Int = AnnouncementListener.port) async throws {
        let (announcements, continuation) = AsyncStream.makeStream(
            of: PrinterAnnouncement.self,
            bufferingPolicy: .bufferingNewest(64)
        )
        self.announcements = announcements
        let allocator = FixedSizeRecvByteBufferAllocator(capacity: PrinterAnnouncement.largest + 1)
        channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            .channelOption(.recvAllocator, value: allocator)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnnouncementHandler { continuation.yield($0) })
                }
            }
            .bind(to: SocketAddress(ipAddress: host, port: port)).get()
        channel.closeFuture.whenComplete { _ in continuation.finish() }
        // Printers broadcast. Join the multicast group that some of them use as well, if the system allows it.
        if let multicast = channel as? any MulticastChannel,
            let group = try? SocketAddress(ipAddress: Self.group, port: 0)
        {
            multicast.joinGroup(group, device: nil, promise: nil)
        }
    }

    package func stop() async { try? await channel.close() }
}

private final class AnnouncementHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let send: (PrinterAnnouncement) -> Void
    private var limit = RateLimit(burst: 200, perSecond: 100)

    init(send: @escaping (PrinterAnnouncement) -> Void) { self.send = send }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = Double(NIODeadline.now().uptimeNanoseconds) / 1e9
        guard limit.allows(at: now) else { return }
        let envelope = unwrapInboundIn(data)
        guard let address = envelope.remoteAddress.ipAddress else { return }
        guard let announcement = PrinterAnnouncement(envelope.data.readableBytesView, from: address) else { return }
        send(announcement)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A datagram that could not be received is like one that was lost.
    }
}
