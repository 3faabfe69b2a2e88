import Logging
import MQTT
import Pictures
import RTSP
import ServiceLifecycle
import StoredSettings

/// The parts of a running bridge, and which of them know each other.
struct BridgeParts {
    let client: MQTTClient

    private let dependencies: BridgeDependencies
    private let registry: PrinterRegistry
    private let outbox = Outbox()
    private let counters = BridgeCounters()
    private let options: RuntimeOptions
    private let publisher: Publisher
    private let reporter: HealthReporter
    private let monitor: HealthMonitor
    private let snapshots: SnapshotService
    private let snapshotPublisher: SnapshotPublisher
    private let go2rtc: (pictures: Go2RTCPictures, push: Go2RTCPush)?
    /// What reads commands and requests; in a fleet, those for the leader only.
    private let inboxes: (commands: ConfigInbox?, requests: RequestInbox)
    private let births: BirthWatch
    private let duplicates: DuplicateBridgeWatch
    private let announcements: AddressWatch
    private let histories: HistoryRecorder
    private let fleet: (coordinator: any Fleet, duties: BridgeDuties)?
    private let access: BridgeAccess
    private let logger: Logger

    /// Makes the parts over a registry that is loaded.
    ///
    /// - Throws: If the store cannot be read, or if the configured names make no topics.
    init(
        _ dependencies: BridgeDependencies,
        store: any SettingsStore,
        registry: PrinterRegistry,
        logger: Logger
    ) async throws {
        self.dependencies = dependencies
        self.registry = registry
        self.logger = logger
        let (topics, outbox, counters) = (dependencies.topics, outbox, counters)
        // The store as the members of a fleet share it; nil for a bridge that is alone.
        let shared = dependencies.fleet == nil ? nil : store as? FleetStore
        let isMine: @Sendable (PrinterID) -> Bool = { shared?.ownership.owns($0) ?? true }
        client = MQTTClient(configuration: dependencies.clientConfiguration, logger: logger)
        options = RuntimeOptions(store: store, scope: RuntimeOptions.scope)
        reporter = HealthReporter(registry: registry, counters: counters)
        histories = HistoryRecorder(registry: registry)

        let info = dependencies.initialInfo
        for warning in info.warnings.sorted { logger.warning("\(warning.message)") }
        let publisher = Publisher(
            client: client,
            registry: registry,
            context: try dependencies.renderContext(over: store, options),
            info: info,
            manifest: Manifest(store: store),
            outbox: outbox,
            counters: counters,
            fleet: shared.map { shared in
                FleetMembership(ownership: shared.ownership, printers: { shared.allPrinters }, topics: topics)
            },
            logger: logger
        )
        self.publisher = publisher
        duplicates = try DuplicateBridgeWatch(
            client: client,
            topics: topics,
            instanceID: info.instanceID,
            fleet: info.fleet,
            counters: counters,
            handle: { await publisher.handle($0) }
        )

        let announce: @Sendable ([PrinterEvent]) -> Void = {
            outbox.post($0.map(topics.message(for:)), lifetime: Outbox.eventLifetime)
        }
        let policy = SnapshotPolicy(
            hasDecoder: PictureMaker.installed.decodesVideo,
            usesGo2RTC: dependencies.streamServer != nil
        )
        monitor = HealthMonitor(
            registry: registry,
            snapshots: policy,
            probe: { [probe = dependencies.probe] in
                let attempt = await probe.attempt($0, known: $1, keepsPicture: $2)
                if case .found(let found) = attempt {
                    counters.count(.probes)
                    if !found.report.isHealthy { counters.count(.failedProbes) }
                }
                return attempt
            },
            announce: announce,
            isMine: isMine,
            logger: logger
        )
        announcements = AddressWatch(
            registry: registry,
            verify: { [probe = dependencies.probe] in await probe.verify($0, for: $1, known: $2) },
            announce: announce,
            logger: logger
        )

        go2rtc = dependencies.streamServer.map { server in
            let pictures = Go2RTCPictures(
                server,
                streamName: topics.go2rtcStream,
                registry: registry,
                policy: policy,
                logger: logger
            )
            let push = Go2RTCPush(
                server,
                registry: registry,
                streamName: topics.go2rtcStream,
                // A stream that one member of a fleet left may be another member's by now.
                store: shared == nil ? store : InMemorySettingsStore(),
                logger: logger
            )
            return (pictures, push)
        }
        snapshots = SnapshotService(
            policy: policy,
            maker: .installed,
            cache: dependencies.snapshots,
            registry: registry,
            requestFromGo2RTC: { [pictures = go2rtc?.pictures] in await pictures?.request($0) },
            logger: logger
        )
        snapshotPublisher = SnapshotPublisher(
            client: client,
            registry: registry,
            cache: dependencies.snapshots,
            manifest: Manifest(store: store, prefix: StoreScope.snapshots),
            topics: topics,
            isRetained: dependencies.retainsSnapshots,
            isIdle: { await publisher.isIdle },
            isMine: isMine,
            warn: { await publisher.warn($0) },
            logger: logger
        )
        births = try BirthWatch(
            client: client,
            topics: topics,
            publisher: publisher,
            pictures: snapshotPublisher,
            counters: counters
        )

        let handler = RequestHandler(
            registry: registry,
            monitor: monitor,
            snapshots: snapshots,
            settings: options,
            health: { [reporter] in await reporter.report().document },
            restarting: dependencies.restart
        )
        let makeRequests: @Sendable (OwnedSlot?, MQTTClient) throws -> RequestInbox = { [logger] slot, client in
            try RequestInbox(
                client: client,
                handler: handler,
                topics: topics,
                outbox: outbox,
                counters: counters,
                logger: logger,
                warn: { await publisher.warn($0) },
                isServing: { await !publisher.hasLeft },
                isMine: { verb, payload in
                    if let slot { return slot.isOwned && slot.contains(verb, payload) }
                    guard let shared else { return true }
                    return shared.ownership.isLeader && OwnedSlot.printer(ofRequest: verb, payload) == nil
                },
                flush: { await publisher.flush() }
            )
        }
        let makeCommands: @Sendable (OwnedSlot?, MQTTClient) async throws -> ConfigInbox = { [logger] slot, client in
            let known = await registry.ids.filter { slot?.contains($0.description) ?? true }
            return try ConfigInbox(
                client: client,
                registry: registry,
                known: known,
                topics: topics,
                identity: BrokerIdentity(
                    broker: dependencies.brokerAddress,
                    base: topics.base,
                    slot: slot?.slot,
                    store: store
                ),
                outbox: outbox,
                counters: counters,
                logger: logger,
                slot: slot,
                warn: { await publisher.warn($0) },
                resolve: { await publisher.resolve($0) },
                // The connections of a slot are not the publisher's.
                replayed: { if slot == nil { await publisher.endReplay(on: $0) } }
            )
        }
        inboxes = (shared == nil ? try await makeCommands(nil, client) : nil, try makeRequests(nil, client))
        access = BridgeAccess(
            snapshots: dependencies.snapshots,
            heard: HeardPrinters(),
            hearsAnnouncements: dependencies.announcementPort != nil,
            registry: registry,
            handler: handler,
            publisher: publisher,
            reporter: reporter,
            histories: histories,
            probe: dependencies.probe,
            epoch: try store.epoch
        )

        if let coordinator = dependencies.fleet, let shared {
            let beacon = FleetBeacon(
                dependencies.sharedConfiguration,
                lease: coordinator.lease,
                topics: topics,
                logger: logger
            )
            let duties = BridgeDuties(
                ownership: coordinator.ownership,
                store: shared,
                registry: registry,
                monitor: monitor,
                publisher: publisher,
                pictures: snapshotPublisher,
                sessions: SlotSessions(
                    dependencies.sharedConfiguration,
                    coordinator.ownership,
                    logger: logger
                ) { slot, client in (try await makeCommands(slot, client), try makeRequests(slot, client)) },
                outbox: outbox,
                counters: counters,
                topics: topics,
                beacon: beacon,
                logger: logger
            )
            fleet = (coordinator, duties)
        } else {
            fleet = nil
        }
    }

    /// What runs, in the order of the start; the group shuts down from the last to the first.
    ///
    /// So probes end, then `offline` is published, then the client disconnects. The readers of its messages end last: they
    /// lose nothing that the client acknowledged, and the broker keeps their subscriptions.
    var services: [any Service] {
        get throws {
            [
                DrainingService { try await inboxes.commands?.run() },
                DrainingService { try await inboxes.requests.run() },
                client,
                Job {
                    try await publisher.run()
                } atEnd: {
                    await publisher.goOffline()
                },
                Job { await registry.followStore() },
                Job { await followSaveFaults() },
                Job { await applyOptions() },
                Job { await outbox.forward(dependencies.log, to: dependencies.topics.bridgeLog, counters) },
                Job { try await reporter.run { await publisher.report($0) } },
                Job { try await births.run() },
                Job { try await duplicates.run() },
                Job {
                    await monitor.run()
                } atEnd: {
                    dependencies.probe.gate?.settle()
                },
                Job { await announcements.run(port: dependencies.announcementPort, access.heard) },
                Job { await histories.run() },
                Job { await snapshots.run(monitor.pictures) },
                Job { try await snapshotPublisher.run() },
            ] + fleetJobs + pictureJobs + supervisionJobs + (try dependencies.companions.map { try $0(access) })
        }
    }

    private var fleetJobs: [Job] {
        guard let fleet else { return [] }
        return [
            Job {
                try await fleet.coordinator.run(fleet.duties)
            } atEnd: {
                await fleet.coordinator.leave(fleet.duties)
            }
        ]
    }

    private var pictureJobs: [Job] {
        var jobs: [Job] = []
        if let go2rtc {
            jobs.append(Job { await go2rtc.pictures.run() })
            jobs.append(Job { await snapshots.run(go2rtc.pictures.pictures) })
            jobs.append(Job { try await go2rtc.push.run() })
        }
        if !snapshots.policy.hasDecoder {
            jobs.append(
                Job {
                    await snapshots.watchForDecoder(
                        warn: { [publisher] in await publisher.warn($0) },
                        resolve: { [publisher] in await publisher.resolve($0) }
                    )
                }
            )
        }
        return jobs
    }

    private var supervisionJobs: [Job] {
        guard let supervision = dependencies.supervision else { return [] }
        let states = client.events().map { [broker = dependencies.brokerAddress] event in
            if case .connected = event { "Connected to \(broker)." } else { "\(broker) is unreachable; retrying." }
        }
        return [
            Job {
                await supervision.run(starts: publisher.starts, states: states) {
                    // Both work on the client's thread.
                    _ = await (publisher.isOnline, registry.ids)
                }
            } atEnd: {
                supervision.stopping()
            }
        ]
    }

    /// Warns while settings can't be saved.
    private func followSaveFaults() async {
        for await fault in registry.saveFaults {
            if let fault {
                await publisher.warn(.storeFailed(fault.message))
            } else {
                await publisher.resolve(.storeFailed)
            }
        }
    }

    /// Puts the bridge's own options in force whenever one has changed.
    private func applyOptions() async {
        for await _ in options.commits() {
            let level = options.logLevel ?? dependencies.logLevel
            dependencies.setLogLevel(level)
            await publisher.follow(logLevel: level, publishesFlatTopics: options.flatTopics)
        }
    }
}
