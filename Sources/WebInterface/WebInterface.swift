package import Bridge
import Hummingbird
package import Logging
import NIOCore
public import ServiceLifecycle
import Synchronization

/// The page in the browser, and `/metrics` and `/health` for monitoring programs.
public struct WebInterface: Service {
    private let options: WebOptions
    private let access: BridgeAccess
    private let logger: Logger
    private let running: @Sendable (Int) -> Void

    /// Serves a bridge.
    ///
    /// - Parameters:
    ///   - options: Where, and for whom.
    ///   - access: The bridge.
    ///   - logger: Told where the page is.
    ///   - running: Told the port once it is listened on.
    package init(
        options: WebOptions,
        access: BridgeAccess,
        logger: Logger,
        running: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.options = options
        self.access = access
        self.logger = logger
        self.running = running
    }

    /// Why the page cannot be served.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Serves until it is shut down.
    ///
    /// - Throws: When the port cannot be used, unless that is allowed.
    public func run() async throws {
        let isRunning = Mutex(false)
        do {
            try await application {
                isRunning.withLock { $0 = true }
                logger.info("The page is ready", metadata: ["address": "http://\(urlHost):\($0)/"])
                running($0)
            }
            .run()
        } catch  where !isRunning.withLock({ $0 }) {
            guard options.isRequired else {
                logger.warning(
                    "The page is not served: its port cannot be used. Set http.port to a free one, or http.enabled to false",
                    metadata: ["host": "\(options.host)", "port": "\(options.port)", "error": "\(error)"]
                )
                return try await gracefulShutdown()
            }
            throw Failure(
                description: "\(options.host):\(options.port) cannot be listened on (http.host, http.port): \(error)"
            )
        }
    }

    private func application(_ running: @escaping @Sendable (Int) -> Void) -> some ApplicationProtocol {
        var configuration = ApplicationConfiguration(address: .hostname(options.host, port: options.port))
        configuration.availableConnectionsDelegate = .maximum(ConnectionLimits.connections, logger: quiet)
        return Application(
            router: Site(access: access, door: Guard(rules: AccessRules(options: options))).router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionLimits()],
                    idleTimeout: ConnectionLimits.deadline,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8_192,
                        maxHeaderListSize: 16_384,
                        maxHeaderFieldCount: 64
                    )
                )
            ),
            configuration: configuration,
            onServerRunning: { running($0.localAddress?.port ?? 0) },
            logger: quiet
        )
    }

    /// The server's own messages are not for people.
    private var quiet: Logger { Logger(label: "http") { _ in SwiftLogNoOpLogHandler() } }

    private var urlHost: String {
        switch options.host {
        case "0.0.0.0", "::": "localhost"
        case let host where host.contains(":"): "[\(host)]"
        case let host: host
        }
    }
}
