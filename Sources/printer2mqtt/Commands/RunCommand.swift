import ArgumentParser
import Bridge
import Foundation
import Logging
import MQTT
import Printers
import ServiceLifecycle
import StoredSettings
import UnixSignals
import WebInterface

/// `run`: the bridge.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the bridge until it is told to stop (SIGTERM or Ctrl-C).",
        discussion: """
            Without mqtt.url it runs a private mosquitto on 127.0.0.1, and without any printer it adds a simulated one, \
            which is removed when mqtt.url is set.
            """
    )

    @Flag(help: "Add a simulated printer, 'demo', whatever is configured.") var demo = false
    @OptionGroup var config: ConfigOption

    /// A service leaves 1883 to mosquitto.service, which may be installed or started later.
    private static let portBesideMosquitto = 11_883

    func run() async throws {
        let app = try AppContext(configPath: config.path)
        try app.configuration.checkForBridge()
        let (registry, store, fleet) = try await app.openBridge()
        let lock = try ProcessLock(app.state.lockFile)
        defer { lock.release() }
        do {
            try await registry.apply(FileSettings(app.configuration.printers))
            try await registry.load()
        } catch let error as SettingsError { throw CommandFailure(error) }

        var services: [any Service] = []
        var banner = Banner(app.configuration)
        if let configured = app.configuration.brokerURL {
            banner.broker = configured
        } else {
            let broker = EmbeddedBroker(
                stateDirectory: URL(fileURLWithPath: app.state.brokerFolder, isDirectory: true),
                preferredPort: app.state.isOfUnit ? Self.portBesideMosquitto : 1883,
                logger: app.logger
            )
            do {
                let address = try await broker.start()
                banner.broker = .tcp(host: address.host, port: address.port)
            } catch let error as MQTTError {
                throw CommandFailure(.unavailable, error.message)
            }
            banner.isBrokerPrivate = true
            services.append(broker)
        }
        let isEmpty = await registry.ids.isEmpty
        let wantsDemo = demo || (banner.isBrokerPrivate && isEmpty)
        let demoPrinter = DemoPrinter(app: app, registry: registry)
        // Beside the printers of a real broker it would be a ghost.
        if let printer = try await demoPrinter.start(isWanted: wantsDemo, isWelcome: demo || banner.isBrokerPrivate) {
            banner.simulated = DemoPrinter.id
            services.append(printer)
        }
        banner.printers = await registry.ids
        let restart = Restart()
        let key = try app.keyIdentifier()
        var dependencies = try app.bridgeDependencies(
            broker: banner.broker,
            clientID: "printer2mqtt-\(store.epoch.prefix(8))"
        )
        if let fleet {
            dependencies.fleet = fleet
            // Each member has a connection of its own.
            dependencies.broker.clientID += "-" + fleet.ownership.member
        }
        let page = try app.configuration.webOptions
        if let page { dependencies.companions.append { app.webInterface(page, access: $0) } }
        dependencies.probe = try app.probe(for: .bridge)
        var supervision = Systemd()?.supervision
        // systemd would kill a process that goes on after it has said that it stops.
        if let stopping = supervision?.stopping { supervision?.stopping = { if !restart.isAsked { stopping() } } }
        dependencies.supervision = supervision
        dependencies.restart = BridgeRestart(
            check: { [path = config.path] in
                let next = try AppContext(configPath: path)
                try next.configuration.checkForBridge()
                // The port that it has now is taken by this bridge itself.
                if let new = try next.configuration.webOptions, new.isRequired, new.port != page?.port {
                    try await WebInterface.check(new)
                }
                guard next.state.database == app.state.database, next.state.hasDatabase else { return }
                if try next.keyIdentifier() != key {
                    throw CommandFailure(.configuration, "store.key is not the key that encrypts the settings")
                }
            },
            begin: { restart.ask() }
        )
        services.append(BridgeService(dependencies: dependencies, store: store, registry: registry, logger: app.logger))
        services.append(StartupBanner(banner: banner, logger: app.logger, isLogged: app.logsJSON))
        let group = ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0) },
                gracefulShutdownSignals: Hangup.isIgnored ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup],
                logger: app.logger
            )
        )
        let watch = Task {
            await restart.asked()
            await group.triggerGracefulShutdown()
        }
        try await group.run()
        watch.cancel()
        if restart.isAsked {
            throw restart.failure(ofStarting: CommandLine.arguments)
        }
    }
}

/// Says that the bridge is up, once signals are listened to.
private struct StartupBanner: Service {
    let banner: Banner
    let logger: Logger
    /// Whether everything that is said is for programs.
    let isLogged: Bool

    func run() async throws {
        if isLogged {
            logger.info("Running", metadata: banner.metadata)
        } else {
            // Seen at once, also through a pipe.
            try? FileHandle.standardOutput.write(contentsOf: Data("\(banner)\n".utf8))
        }
        try await gracefulShutdown()
    }
}
