package import Bridge
import CameraProtocols
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import Relay
import ServiceLifecycle
import Synchronization

/// The page in the browser, and `/metrics` and `/health` for monitoring programs.
package struct WebInterface: Service {
    private let options: WebOptions
    private let access: BridgeAccess
    private let viewers: StreamLimit
    private let logger: Logger
    private let running: @Sendable (Int) -> Void
    /// How long a request may take to arrive; tests wait longer.
    var readDeadline = ConnectionLimits.readDeadline

    /// Serves a bridge; `running` is told the port once the server listens.
    ///
    /// Viewers of the page have their places in `viewers`, which other doors may share.
    package init(
        options: WebOptions,
        access: BridgeAccess,
        viewers: StreamLimit? = nil,
        logger: Logger,
        running: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.options = options
        self.access = access
        self.viewers = viewers ?? StreamLimit(options.viewers)
        self.logger = logger
        self.running = running
    }

    /// Serves until it is shut down; while the port cannot be used, it tries again every 10 seconds.
    package func run() async throws {
        repeat {
            do { return try await serve() } catch let failure as PortFailure { access.warn(.pageNotServed(failure)) }
        } while await PortFailure.waitForPort()
    }

    /// Throws a ``Relay/PortFailure`` if the port cannot be used.
    private func serve() async throws {
        let isRunning = Mutex(false)
        let rules = AccessRules(options: options)
        let places = ConnectionPlaces(
            limit: ConnectionLimits.connections + options.viewers,
            isProxy: rules.isProxy,
            stranger: rules.network(of:from:)
        )
        do {
            let server = try server(rules, places) {
                isRunning.withLock { $0 = true }
                access.resolve(.pageNotServed)
                logger.info("The page is ready", metadata: ["address": "\(options.shownURL(port: $0))"])
                running($0)
            }
            try await withGracefulShutdownHandler {
                try await server.run()
            } onGracefulShutdown: {
                places.closeAll(in: ConnectionLimits.shutdownTime)
            }
        } catch  where !isRunning.withLock({ $0 }) {
            throw PortFailure(host: options.host, port: options.port, section: "http", error)
        }
    }

    /// Not an `Application` of Hummingbird: that one renews the date each second, also without requests.
    private func server(
        _ rules: AccessRules,
        _ places: ConnectionPlaces,
        _ running: @escaping @Sendable (Int) -> Void
    ) throws -> any Service {
        let responder = Routes(
            access: access,
            door: Guard(rules: rules, places: places, tokens: access.tokens, instance: access.instance),
            diagnosis: Diagnosis(options.examine),
            streams: StreamLimit(ConnectionLimits.eventStreams),
            tests: StreamLimit(ConnectionLimits.tests),
            viewers: viewers
        ).router.buildResponder()
        return try HTTPServerBuilder.http1(configuration: limits(places)).buildServer(
            configuration: ServerConfiguration(address: .hostname(options.host, port: options.port)),
            eventLoopGroup: EventLoopGroupProvider.singleton.eventLoopGroup,
            logger: quiet,
            responder: { [quiet] request, writer, channel in
                let context = PageContext(source: .init(channel: channel, logger: quiet))
                let response = try await responder.respond(to: request, context: context)
                guard request.method == .head else {
                    return try await writer.write(response: response.head, body: response.body)
                }
                var head = response.head
                // ``HeadCheck`` then announces neither a length nor chunks.
                if head.headerFields[.contentLength] == nil {
                    (head.headerFields[.transferEncoding], head.headerFields[.connection]) = ("chunked", "close")
                }
                try await writer.writeResponse(head)
            },
            onServerRunning: { running($0.localAddress?.port ?? 0) }
        )
    }

    private func limits(_ places: ConnectionPlaces) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionLimits(places, readDeadline: readDeadline)],
            idleTimeout: readDeadline,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8_192,
                maxHeaderListSize: 16_384,
                maxHeaderFieldCount: 64
            )
        )
    }

    /// The server's own messages are not for people.
    private var quiet: Logger { Logger(label: "http") { _ in SwiftLogNoOpLogHandler() } }
}
