import CameraProtocols
package import Cameras
package import Logging
import NIOCore
import NIOPosix
import Platform
import ServiceLifecycle

/// Gives the video of cameras that speak RTSP to viewers, over RTSP: `rtsp://<host>:<port>/<printer>`.
package struct RelayServer: Service {
    private let options: RelayOptions
    private let cameras: RelayedCameras
    private let feeds: CameraFeeds
    private let door: any RelayDoor
    private let logger: Logger
    private let unavailable: @Sendable (PortFailure) -> Void
    private let running: @Sendable (Int) -> Void
    /// Seconds without reading after which a viewer is disconnected; tests wait less.
    var timeout = Backlog.timeout

    /// Serves the cameras of a bridge; `running` is told the port once the server listens, and `unavailable` why a port that
    /// is not required cannot be used.
    package init(
        options: RelayOptions,
        cameras: RelayedCameras,
        feeds: CameraFeeds,
        door: any RelayDoor,
        logger: Logger,
        unavailable: @escaping @Sendable (PortFailure) -> Void = { _ in },
        running: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        (self.options, self.cameras, self.feeds, self.door) = (options, cameras, feeds, door)
        (self.logger, self.unavailable, self.running) = (logger, unavailable, running)
    }

    /// Serves until it is shut down; while the port cannot be used, it tries again every 10 seconds.
    package func run() async {
        guard let server = await listen() else { return }
        let port = server.localAddress?.port ?? 0
        logger.info("The relay is ready", metadata: ["address": "rtsp://\(IPLiteral.bracketed(options.host)):\(port)/"])
        running(port)
        try? await gracefulShutdown()
        try? await server.close()
        door.closeAll()
    }

    /// The listening server; nil if it is shut down before it can listen.
    private func listen() async -> (any Channel)? {
        repeat {
            do { return try await bind() } catch {
                unavailable(PortFailure(host: options.host, port: options.port, section: "rtsp", error))
            }
        } while await PortFailure.waitForPort()
        return nil
    }

    private func bind() async throws -> any Channel {
        let (cameras, feeds, door, timeout) = (cameras, feeds, door, timeout)
        return try await ServerBootstrap(group: cameras.loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try ViewerHandler(cameras, feeds, door, timeout: timeout)
                    guard door.admit(channel) else { throw CancellationError() }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: options.host, port: options.port)
            .get()
    }
}
