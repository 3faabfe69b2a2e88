import Foundation
public import Logging
public import MQTT
public import OpenSSL
import Pictures
import RTSP
public import ServiceLifecycle
public import Settings

/// The bridge: settings in, retained topics out, streams probed.
///
/// Everything flows one way: events change the registry, the registry says what changed, the publisher renders that and
/// publishes what differs.
public struct BridgeService: Service {
    private let options: BridgeOptions
    private let store: any SettingsStore
    private let registry: PrinterRegistry
    private let logger: Logger

    /// Makes a bridge over a store.
    public init(options: BridgeOptions, store: any SettingsStore, registry: PrinterRegistry, logger: Logger) {
        self.options = options
        self.store = store
        self.registry = registry
        self.logger = logger
    }

    /// Makes a bridge for a program that owns its store, and its printers' models.
    ///
    /// Every `PrinterSettings` over the same store is a printer of the bridge: what is assigned to it, and what arrives from
    /// the broker, is committed, and then published and observed.
    ///
    /// ```swift
    /// let store = try SQLiteSettingsStore(path: path, sealer: StoreSealer(key: key))
    /// let settings = PrinterSettings(store: store, id: "workshop")
    /// let broker = MQTTConfiguration(endpoint: .tcp(host: "nas", port: 1883), clientID: "my-program")
    /// let bridge = BridgeService(broker: broker, store: store, key: key, logger: logger)
    /// ```
    ///
    /// - Parameters:
    ///   - broker: How to reach the broker. Secrets are published only over TLS, a Unix socket or loopback.
    ///   - store: Where settings last.
    ///   - key: The key of the store.
    ///   - topics: The names of the topics.
    ///   - logger: Told what happens, without secrets.
    public init(
        broker: MQTTConfiguration,
        store: any SettingsStore,
        key: SealingKey,
        topics: Topics = Topics(),
        logger: Logger
    ) {
        let options = BridgeOptions(
            broker: broker,
            brokerAddress: "\(broker.endpoint)",
            topics: topics,
            version: "",
            isBrokerPrivate: broker.endpoint.isPrivate
        )
        let registry = PrinterRegistry(store: store, digest: PrinterRegistry.digest(key: key), logger: logger)
        self.init(options: options, store: store, registry: registry, logger: logger)
    }

    /// Runs until it is cancelled or shut down; then says `offline` and disconnects.
    public func run() async throws {
        try await registry.load()
        let topics = options.topics
        let client = MQTTClient(configuration: brokerConfiguration, logger: logger)
        let outbox = Outbox()
        let counters = BridgeCounters()
        let settings = bridgeSettings
        let info = makeInfo()
        for warning in info.warnings.sorted { logger.warning("\(warning.message)") }
        let publisher = Publisher(
            client: client,
            registry: registry,
            context: try context(settings),
            info: info,
            manifest: Manifest(store: store),
            outbox: outbox,
            counters: counters,
            fleet: sharedStore.map { store in
                FleetMembership(ownership: store.ownership, printers: { store.allPrinters }, topics: topics)
            },
            logger: logger
        )
        let reporter = HealthReporter(registry: registry, counters: counters)
        let isMine: @Sendable (PrinterID) -> Bool = { [sharedStore] in sharedStore?.ownership.owns($0) ?? true }
        let monitor = HealthMonitor(
            registry: registry,
            snapshots: snapshotPolicy,
            probe: { [probe = options.probe] in
                let attempt = await probe.attempt($0, known: $1, keepsPicture: $2)
                if case .found(let found) = attempt {
                    counters.count(.probes)
                    if !found.report.isHealthy { counters.count(.failedProbes) }
                }
                return attempt
            },
            announce: { outbox.post($0.map(topics.message(for:)), lifetime: Outbox.eventLifetime) },
            isMine: isMine,
            logger: logger
        )
        let go2rtcPictures = options.streamServer.map {
            Go2RTCPictures(
                $0,
                streamName: topics.go2rtcStream,
                registry: registry,
                policy: snapshotPolicy,
                logger: logger
            )
        }
        let snapshots = SnapshotService(
            policy: snapshotPolicy,
            maker: .installed,
            cache: options.snapshots,
            registry: registry,
            requestFromGo2RTC: { await go2rtcPictures?.request($0) },
            logger: logger
        )
        let identity = BrokerIdentity(broker: options.brokerAddress, base: topics.base, store: store)
        let fleetCommands = sharedStore.map { store in
            FleetCommands(store.ownership, digest: registry.applier.digest, exists: store.exists)
        }
        let inbox = try ConfigInbox(
            client: client,
            registry: registry,
            known: await registry.ids,
            topics: topics,
            identity: identity,
            outbox: outbox,
            counters: counters,
            logger: logger,
            fleet: fleetCommands,
            warn: { await publisher.warn($0) },
            resolve: { await publisher.resolve($0) }
        )
        let handler = RequestHandler(
            registry: registry,
            monitor: monitor,
            snapshots: snapshots,
            settings: settings,
            health: { await reporter.report().document },
            restarting: options.restart
        )
        let requests = try RequestInbox(
            client: client,
            handler: handler,
            topics: topics,
            outbox: outbox,
            counters: counters,
            logger: logger,
            warn: { await publisher.warn($0) },
            isServing: { await !publisher.hasLeft },
            isMine: { [sharedStore] in sharedStore?.isMine($0, $1) ?? true },
            flush: { await publisher.flush() }
        )
        let births = try BirthWatch(client: client, topics: topics, publisher: publisher, counters: counters)
        let duplicates = try DuplicateBridgeWatch(
            client: client,
            topics: topics,
            instanceID: info.instanceID,
            fleet: info.fleet,
            counters: counters,
            handle: { await publisher.handle($0) }
        )
        let histories = HistoryRecorder(registry: registry)
        let heard = HeardPrinters()
        let access = BridgeAccess(
            snapshots: options.snapshots,
            heard: heard,
            hearsAnnouncements: options.announcementPort != nil,
            registry: registry,
            handler: handler,
            publisher: publisher,
            reporter: reporter,
            histories: histories,
            probe: options.probe,
            epoch: try store.epoch
        )
        var pictureJobs: [Job] = []
        var fleetJobs: [Job] = []
        if let fleet = options.fleet, let store = sharedStore, let commands = fleetCommands {
            let duties = BridgeDuties(
                ownership: fleet.ownership,
                store: store,
                registry: registry,
                monitor: monitor,
                publisher: publisher,
                inbox: inbox,
                commands: commands,
                outbox: outbox,
                counters: counters,
                topics: topics,
                beacon: FleetBeacon(
                    options.broker,
                    clientID: "\(topics.base)-\(fleet.ownership.fleet)",
                    topics: topics,
                    logger: logger
                ),
                logger: logger
            )
            fleetJobs = [
                Job { [changes = duties.readLogs()] in await duties.followLogs(changes) },
                Job {
                    try await fleet.run(duties)
                } atEnd: {
                    await fleet.leave(duties)
                },
            ]
        }
        if let go2rtcPictures {
            pictureJobs.append(Job { await go2rtcPictures.run() })
            pictureJobs.append(Job { await snapshots.run(go2rtcPictures.pictures) })
        }
        if !snapshotPolicy.hasDecoder {
            pictureJobs.append(
                Job {
                    await snapshots.watchForDecoder(
                        warn: { await publisher.warn($0) },
                        resolve: { await publisher.resolve($0) }
                    )
                }
            )
        }
        // Shut down from the last to the first: probes end, then `offline` is said, then the client disconnects. Those who
        // take from it end after it: they lose nothing that it acknowledged, and the broker keeps their subscriptions.
        let group = ServiceGroup(
            services: [
                Intake { try await inbox.run() },
                Intake { try await requests.run() },
                client,
                Job {
                    try await publisher.run()
                } atEnd: {
                    await publisher.goOffline()
                },
                Job { await self.registry.followStore() },
                Job { await self.follow(settings, publisher) },
                Job { await self.publishLog(outbox, counters) },
                Job { try await self.report(reporter, publisher) },
                Job { try await births.run() },
                Job { try await duplicates.run() },
                Job {
                    await monitor.run()
                } atEnd: {
                    options.probe.gate?.settle()
                },
                Job { await self.hearAnnouncements(outbox, heard) },
                Job { await histories.run() },
                Job { await snapshots.run(monitor.pictures) },
                Job {
                    let pictures = SnapshotPublisher(
                        client: client,
                        registry: registry,
                        cache: options.snapshots,
                        manifest: Manifest(store: store, prefix: "snapshots/"),
                        topics: topics,
                        isRetained: options.retainsSnapshots,
                        isIdle: { await publisher.isIdle },
                        isMine: isMine,
                        logger: logger
                    )
                    try await pictures.run()
                },
            ] + fleetJobs + pictureJobs + (try await go2rtcJobs(publisher)) + supervisor(client, publisher)
                + (try options.companions.map { try $0(access) }),
            logger: logger
        )
        // On the client's thread a command needs no other thread until it is written, nor from there to the broker.
        try await withTaskExecutorPreference(client.executor) { try await group.run() }
    }

    /// Puts in force what is changed of the bridge, by whomever.
    private func follow(_ settings: BridgeSettings, _ publisher: Publisher) async {
        for await _ in settings.commits() {
            let level = settings.logLevel ?? options.logLevel
            options.setLogLevel(level)
            await publisher.follow(logLevel: level, publishesFlatTopics: settings.flatTopics)
        }
    }

    /// Keeps go2rtc in step, where there is one.
    private func go2rtcJobs(_ publisher: Publisher) async throws -> [Job] {
        if let go2rtc = options.streamServer {
            let push = Go2RTCPush(
                go2rtc,
                registry: registry,
                streamName: options.topics.go2rtcStream,
                // What a member of a fleet left, another one may have put since.
                store: sharedStore == nil ? store : InMemorySettingsStore(),
                logger: logger
            )
            return [Job { try await push.run() }]
        } else if options.go2rtc != nil {
            let message = """
                The connection to go2rtc is not encrypted, so it does not get the streams, which hold access codes: use \
                https:// or a go2rtc on this machine, or set mqtt.allow_plaintext_secrets to true
                """
            await publisher.warn(BridgeWarning(.secretWithheld, message))
        }
        return []
    }

    /// Sees to it that a supervisor learns how the bridge does.
    private func supervisor(_ client: MQTTClient, _ publisher: Publisher) -> [Job] {
        guard let supervision = options.supervision else { return [] }
        let states = client.events().map { [broker = options.brokerAddress] event in
            if case .connected = event { "Connected to \(broker)." } else { "\(broker) is unreachable; retrying." }
        }
        return [
            Job {
                await supervision.run(starts: publisher.starts, states: states) { [registry] in
                    // Both work on the client's thread.
                    _ = await (publisher.isOnline, registry.ids)
                }
            } atEnd: {
                supervision.stopping()
            }
        ]
    }

    private func hearAnnouncements(_ outbox: Outbox, _ heard: HeardPrinters) async {
        var listener: AnnouncementListener?
        if let port = options.announcementPort {
            do { listener = try await AnnouncementListener(port: port) } catch {
                logger.warning(
                    "Printers that announce a new address are not heard: UDP port \(port) can't be used",
                    metadata: ["error": "\(error)"]
                )
            }
        }
        let watch = AddressWatch(
            registry: registry,
            verify: { [probe = options.probe] in await probe.verify($0, for: $1, known: $2) },
            announce: { [topics = options.topics] in
                outbox.post($0.map(topics.message(for:)), lifetime: Outbox.eventLifetime)
            },
            logger: logger
        )
        let announcements = listener?.announcements ?? AsyncStream.makeStream().stream
        await watch.run(
            announcements.map { announcement in
                heard.note(announcement)
                return announcement
            }
        )
        await listener?.stop()
    }

    private func publishLog(_ outbox: Outbox, _ counters: BridgeCounters) async {
        for await _ in options.log.wakes {
            let (entries, dropped) = options.log.take()
            counters.count(.droppedLogEntries, dropped)
            outbox.post(
                entries.map {
                    MQTTMessage(on: options.topics.bridgeLog, payload: $0.document.json(), qos: .atMostOnce)
                }
            )
        }
    }

    private func report(_ reporter: HealthReporter, _ publisher: Publisher) async throws {
        while !Task.isCancelled {
            await publisher.report(await reporter.report())
            try await Task.sleep(for: .seconds(BridgeHealth.interval))
        }
    }

    /// The retained topics as they would be published now, of one printer or of everything.
    public func topics(of only: PrinterID? = nil) async throws -> TopicTree {
        let context = try context(bridgeSettings)
        var info = makeInfo()
        info.printers = await registry.ids
        var tree = only == nil ? render(info, in: context) : [:]
        for id in only.map({ [$0] }) ?? info.printers {
            if let printer = await registry[id] { tree.merge(render(printer, in: context)) { $1 } }
        }
        return tree
    }

    private var brokerConfiguration: MQTTConfiguration {
        var configuration = options.broker
        let offline = MQTTMessage(on: options.topics.bridgeAvailability, payload: "offline", retain: true)
        // The session outlives the will's delay: a short interruption changes nothing that users see.
        configuration.will = offline.map { MQTTWill(message: $0, delay: .seconds(5)) }
        if let fleet = options.fleet {
            // The leader's second connection stands for all; this one for the member alone.
            let member = options.topics.member(fleet.ownership.member)
            let lost = MQTTMessage(on: member, payload: #"{"status":"offline"}"#, retain: true)
            configuration.will = lost.map { MQTTWill(message: $0, delay: .seconds(5)) }
        }
        configuration.cleanStart = false
        // Room for several chunks of printers and the answers to commands.
        configuration.outgoingQueueLimit = max(configuration.outgoingQueueLimit, 10_000)
        // Long enough for a restart and an upgrade: the broker keeps commands for the next run.
        configuration.sessionExpiry = .seconds(3_600)
        return configuration
    }

    /// The store that members of a fleet share; nil for a bridge that is alone.
    private var sharedStore: FleetStore? { options.fleet == nil ? nil : store as? FleetStore }

    private var snapshotPolicy: SnapshotPolicy {
        SnapshotPolicy(hasDecoder: PictureMaker.installed.decodesVideo, usesGo2RTC: options.streamServer != nil)
    }

    private var bridgeSettings: BridgeSettings { BridgeSettings(store: store, scope: BridgeSettings.scope) }

    private func context(_ settings: BridgeSettings) throws -> RenderContext {
        var context = RenderContext(
            topics: options.topics,
            epoch: try store.epoch,
            version: options.version,
            announcesDevices: options.announcesDevices,
            publishesSecrets: options.publishesSecrets && !options.withholdsSecrets
        )
        context.publishesFlatTopics = settings.flatTopics
        return context
    }

    private func makeInfo() -> BridgeInfo {
        var info = BridgeInfo(
            version: options.version,
            startedAt: Date(),
            instanceID: UUID().uuidString.lowercased(),
            broker: options.brokerAddress,
            protocolVersion: options.broker.protocolVersion.rawValue
        )
        info.fleet = options.fleet?.ownership.fleet
        if options.withholdsSecrets {
            let message = """
                The connection to the broker is not encrypted, so stream URLs with access codes are not published: use \
                mqtts://, or set mqtt.allow_plaintext_secrets to true
                """
            info.warnings.insert(BridgeWarning(.secretWithheld, message))
        }
        return info
    }
}
