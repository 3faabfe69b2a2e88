import CameraProtocols
internal import Foundation
package import NIOCore
internal import NIOPosix
package import OpenSSL
internal import Platform
internal import Synchronization

/// A printer's camera that exists in software only: RTSP over TLS with real H.264 video, or JPEG pictures, and faults on demand.
///
/// It costs a listening socket and a few kilobytes, no thread: thousands fit one process.
package actor SimulatedPrinter {
    /// The port it listens on; it keeps it while the fault `refuse` closes it.
    package nonisolated let port: Int
    /// The certificate it shows, to be kept where the fingerprint must survive a restart.
    package nonisolated let certificate: SelfSignedCertificate
    /// The address of its stream, without user and access code; host and port of a camera that sends JPEG pictures.
    package nonisolated let url: String

    private let host: String
    private let server: ServerBootstrap
    private let state: PrinterState
    private var listener: (any Channel)?

    package static func start(
        _ configuration: SimulatedPrinterConfiguration,
        group: (any EventLoopGroup)? = nil
    ) async throws -> SimulatedPrinter {
        let printer = try await SimulatedPrinter(configuration, group ?? MultiThreadedEventLoopGroup.singleton)
        if configuration.fault == .refuse { try await printer.setFault(.refuse) }
        return printer
    }

    private init(_ configuration: SimulatedPrinterConfiguration, _ group: any EventLoopGroup) async throws {
        host = configuration.host
        certificate = try configuration.certificate ?? .make(commonName: configuration.serial)
        let (context, state) = (try SharedContexts.context(for: certificate), PrinterState(configuration))
        self.state = state
        server = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try Self.accept(channel, context, state) }
            }
        let listener = try await server.bind(host: host, port: configuration.port).get()
        guard let port = listener.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        (self.listener, self.port) = (listener, port)
        let authority = "\(IPLiteral.bracketed(host)):\(port)"
        url = configuration.model.camera == .rtsps ? "rtsps://\(authority)\(configuration.path)" : authority
    }

    package nonisolated var fault: SimulatedFault? { state.settings.fault }

    package nonisolated var connectionCount: Int { state.openConnections.count }

    /// The most connections that were open at one time since the start.
    package nonisolated var mostConnections: Int { state.mostConnections }

    /// Changes how it misbehaves, from the next connection or request on.
    package func setFault(_ fault: SimulatedFault?) async throws {
        state.update { $0.fault = fault }
        if fault == .refuse {
            await stopListening()
        } else if listener == nil {
            listener = try await server.bind(host: host, port: port).get()
        }
    }

    /// Ends every connection, as a printer does that is restarted.
    package nonisolated func disconnectAll() async {
        let channels = state.openConnections
        for channel in channels { channel.close(promise: nil) }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    package func stop() async {
        await stopListening()
        state.refuseConnections()
        await disconnectAll()
    }

    private func stopListening() async {
        let closing = listener
        listener = nil
        try? await closing?.close()
    }

    private static func accept(_ channel: any Channel, _ context: TLSContext, _ state: PrinterState) throws {
        // Like a small printer, a camera without a free place accepts the connection, and never answers.
        guard state.add(channel) else { return }
        let fault = state.settings.fault
        switch fault {
        case .close, .refuse:
            channel.close(promise: nil)
        case .reset:
            // Closing without lingering resets the connection.
            let lingers = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            (lingers ?? channel.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in channel.close(promise: nil) }
        case .hangAccept:
            break
        default:
            if fault == .silentToTLS13 { try channel.pipeline.syncOperations.addHandler(TLS13Silence()) }
            let tls = try TLSHandler(context: context)
            guard state.settings.model.camera == .rtsps else {
                return try channel.pipeline.syncOperations.addHandlers(tls, JPEGCameraHandler(state: state))
            }
            let address = channel.localAddress
            let host = IPLiteral.bracketed(address?.ipAddress ?? "127.0.0.1")
            let origin = "rtsps://\(host):\(address?.port ?? 322)"
            try channel.pipeline.syncOperations.addHandlers(tls, ConnectionHandler(state: state, origin: origin))
        }
    }
}
