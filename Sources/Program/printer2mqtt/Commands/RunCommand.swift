import ArgumentParser
import Bridge
import Foundation
import Logging
import MQTT
import Pictures
import Printers
import Relay
import ServiceLifecycle
import StoredSettings
import UnixSignals
import WebInterface

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the bridge until it is told to stop (SIGTERM or Ctrl-C).",
        discussion: """
            Without mqtt.url it runs a private mosquitto, which only this user and root can reach, and without any \
            printer it adds a simulated one, which is removed when mqtt.url is set.
            """
    )

    @Flag(help: "Add a simulated printer, 'demo', whatever is configured.") var demo = false
    @OptionGroup var config: ConfigOption

    func run() async throws {
        PictureMaker.returnMemory()
        raiseDescriptorLimit()
        let app = try AppContext(configPath: config.path)
        try app.configuration.checkForBridge()
        let parts = try await app.openBridge()
        try app.refuseOtherState(toWrite: true)
        let lock = try ProcessLock.ofBridge(on: app.state)
        defer { lock.release() }
        if let cut = app.configuration.cutSecrets {
            app.logger.warning("A secret may be cut", metadata: ["message": "\(cut.message)"])
        }
        let owner = try await DoorOwner.wait(app) {
            app.logger.notice("A command is connected to a camera; the bridge starts after it")
        }
        defer { owner.release() }
        do {
            try await parts.registry.apply(FileSettings(app.configuration.printers))
        } catch let errors as ValidationErrors { throw app.configuration.failure(of: errors) }
        try await parts.registry.load()
        let restart = Restart()
        if let broker = app.configuration.brokerURL {
            PrivateBroker.deleteMessages(in: app.state)
            try await run(parts, of: app, owner, on: broker, restart)
        } else {
            try await PrivateBroker(state: app.state, logger: app.logger).whileRunning { broker in
                try await run(parts, of: app, owner, on: broker, restart)
            }
        }
        if restart.isAsked {
            throw restart.failure(ofStarting: CommandLine.arguments)
        }
    }

    /// Runs the bridge until it is told to stop, or to start anew.
    private func run(
        _ parts: (registry: PrinterRegistry, store: any SettingsStore, fleet: (any PrinterAssignment)?),
        of app: AppContext,
        _ owner: DoorOwner,
        on broker: BrokerURL,
        _ restart: Restart
    ) async throws {
        let (registry, store, fleet) = parts
        var banner = Banner(topics: app.configuration.topics, broker: broker, installation: app.installation)
        banner.isBrokerPrivate = app.configuration.brokerURL == nil
        var services: [any Service] = []
        let isEmpty = registry.ids.isEmpty
        let wantsDemo = demo || (banner.isBrokerPrivate && isEmpty)
        let demoPrinter = DemoPrinter(app: app, registry: registry)
        if let printer = try await demoPrinter.start(isWanted: wantsDemo, isWelcome: demo || banner.isBrokerPrivate) {
            banner.simulated = DemoPrinter.id
            services.append(printer)
        }
        banner.printers = (store as? OwnedSettingsStore)?.allPrinters ?? registry.ids
        let key = try app.keyIdentifier()
        let clientID = try "printer2mqtt-\(store.epoch.prefix(8))"
        var dependencies = try app.bridgeDependencies(broker: broker, clientID: clientID)
        dependencies.hasClientIDOfStore = dependencies.broker.clientID == clientID
        if let fleet {
            dependencies.assignment = fleet
            // Each member has a connection of its own.
            dependencies.broker.clientID += "-" + fleet.ownership.member
        }
        let page = try app.configuration.webOptions
        dependencies.companions.append {
            BridgeSocket(
                path: BridgeSocket.path(of: app.state),
                topics: app.configuration.topics,
                access: $0,
                logger: app.logger
            )
        }
        let viewers = StreamLimit(app.configuration[\.httpViewers])
        if let page {
            dependencies.companions.append { app.webInterface(page, access: $0, viewers: viewers) }
        }
        let relay = app.configuration.relayOptions
        if let relay {
            dependencies.companions.append { app.relay(relay, access: $0, viewers: viewers) }
        }
        (dependencies.probe, dependencies.ledger) = (owner.probe, owner.ledger)
        dependencies.supervision = supervision(showing: banner, app, restart)
        dependencies.restart = BridgeRestart(
            check: { [path = config.path] in
                let next = try AppContext(configPath: path)
                try next.configuration.checkForBridge()
                let isSameStore =
                    next.state.database == app.state.database && next.isInFleet == app.isInFleet
                    && next.configuration[\.fleetName] == app.configuration[\.fleetName]
                guard isSameStore, next.isInFleet || next.state.hasDatabase else { return }
                try next.checkFile(over: registry)
                if try next.keyIdentifier() != key {
                    let reason = "store.key is not the key that encrypts the settings"
                    throw CommandFailure(.configuration, "\(reason): set that key again")
                }
            },
            begin: { restart.ask() }
        )
        services.append(BridgeService(dependencies: dependencies, store: store, registry: registry, logger: app.logger))
        let group = ServiceGroup(
            configuration: .init(
                services: services.map { .init(named: $0) },
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
    }

    private func supervision(showing banner: Banner, _ app: AppContext, _ restart: Restart) -> Supervision {
        var supervision = Systemd()?.supervision ?? Supervision(ready: {})
        let (begin, stopping) = (supervision.ready, supervision.stopping)
        supervision.ready = {
            begin()
            // Not earlier: an owner runs the commands of the banner at once.
            if app.logsJSON {
                app.logger.info("Running", metadata: banner.metadata)
            } else {
                Terminal.show("\(banner)\n", byBridge: true)
            }
        }
        // A restart is no stop: systemd kills a process that announces its stop and then goes on.
        supervision.stopping = { if !restart.isAsked { stopping() } }
        return supervision
    }
}
