import Logging
import MQTT
import Pictures
import RTSP
import ServiceLifecycle
import StoredSettings

/// The parts of a running bridge, and which of them know each other.
struct BridgeParts {
    let client: MQTTClient
    /// What runs, in the order of the start; the group shuts down from the last to the first.
    ///
    /// So probes end, then `offline` is published, then the client disconnects. The readers of its messages end last: they
    /// lose nothing that the client acknowledged, and the broker keeps their subscriptions.
    let services: [any Service]

    /// Makes the parts over a registry that is loaded.
    ///
    /// - Throws: If the store cannot be read, or if the configured names make no topics.
    init(
        _ dependencies: BridgeDependencies,
        store: any SettingsStore,
        registry: PrinterRegistry,
        logger: Logger
    ) async throws {
        let (topics, outbox, counters) = (dependencies.topics, Outbox(), BridgeCounters())
        // The store as the members of a fleet share it; nil for a bridge that is alone.
        let shared = dependencies.fleet == nil ? nil : store as? FleetStore
        let isMine: @Sendable (PrinterID) -> Bool = { shared?.ownership.owns($0) ?? true }
        let client = MQTTClient(configuration: dependencies.clientConfiguration, logger: logger)
        let options = RuntimeOptions(store: store, scope: RuntimeOptions.scope)
        let reporter = HealthReporter(registry: registry, counters: counters)
        let histories = HistoryRecorder(registry: registry)

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
        let warn: @Sendable (BridgeWarning) async -> Void = { await publisher.warn($0) }
        let resolve: @Sendable (BridgeWarning.Code) async -> Void = { await publisher.resolve($0) }
        let announce: @Sendable ([PrinterEvent]) -> Void = {
            outbox.post($0.map(topics.message(for:)), lifetime: Outbox.eventLifetime)
        }
        let duplicates = try DuplicateBridgeWatch(client: client, topics: topics, info: info, counters: counters)

        let policy = SnapshotPolicy(
            hasDecoder: PictureMaker.installed.decodesVideo,
            usesGo2RTC: dependencies.streamServer != nil
        )
        let monitor = HealthMonitor(
            registry: registry,
            snapshots: policy,
            probe: { await dependencies.probe.attempt($0, known: $1, keepsPicture: $2) },
            counters: counters,
            announce: announce,
            isMine: isMine,
            logger: logger
        )
        let announcements = AddressWatch(
            registry: registry,
            verify: { await dependencies.probe.verify($0, for: $1, known: $2) },
            announce: announce,
            logger: logger
        )
        let go2rtc = dependencies.streamServer.map { server in
            Go2RTCPictures(server, streamName: topics.go2rtcStream, registry: registry, policy: policy, logger: logger)
        }
        let snapshots = SnapshotService(
            policy: policy,
            maker: .installed,
            cache: dependencies.snapshots,
            registry: registry,
            requestFromGo2RTC: { await go2rtc?.request($0) },
            logger: logger
        )
        let snapshotPublisher = SnapshotPublisher(
            client: client,
            registry: registry,
            cache: dependencies.snapshots,
            manifest: Manifest(store: store, prefix: StoreScope.snapshots),
            topics: topics,
            isRetained: dependencies.retainsSnapshots,
            isIdle: { await publisher.isIdle },
            isMine: isMine,
            warn: warn,
            logger: logger
        )
        let births = try BirthWatch(
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
            health: { await reporter.report().document },
            restarting: dependencies.restart
        )
        let makeRequests: @Sendable (OwnedSlot?, MQTTClient) throws -> RequestInbox = { slot, client in
            try RequestInbox(
                client: client,
                handler: handler,
                topics: topics,
                outbox: outbox,
                counters: counters,
                logger: logger,
                warn: warn,
                isServing: { await !publisher.hasLeft },
                isMine: { verb, payload in
                    if let slot { return slot.isOwned && slot.contains(verb, payload) }
                    guard let shared else { return true }
                    return shared.ownership.isLeader && OwnedSlot.printer(ofRequest: verb, payload) == nil
                },
                flush: { await publisher.flush() }
            )
        }
        let makeCommands: @Sendable (OwnedSlot?, MQTTClient) async throws -> ConfigInbox = { slot, client in
            try ConfigInbox(
                client: client,
                registry: registry,
                known: await registry.ids.filter { slot?.contains($0.description) ?? true },
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
                warn: warn,
                resolve: resolve,
                // The connections of a slot are not the publisher's.
                replayed: { if slot == nil { await publisher.endReplay(on: $0) } }
            )
        }
        // In a fleet, the sessions of the slots bring the commands, and this one the requests for the leader.
        let commands = shared == nil ? try await makeCommands(nil, client) : nil
        let requests = try makeRequests(nil, client)
        let access = BridgeAccess(
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

        var services: [any Service] = [
            DrainingService { try await commands?.run() },
            DrainingService { try await requests.run() },
            client,
            Job {
                try await publisher.run()
            } atEnd: {
                await publisher.goOffline()
            },
            Job { await registry.followStore() },
            Job {
                for await fault in registry.saveFaults {
                    if let fault { await warn(.storeFailed(fault.message)) } else { await resolve(.storeFailed) }
                }
            },
            Job {
                await registry.followDamagedSecrets { await publisher.replaceWarnings(.secretDamaged, with: $0) }
            },
            Job {
                for await _ in options.commits() {
                    let level = options.logLevel ?? dependencies.logLevel
                    dependencies.setLogLevel(level)
                    await publisher.follow(logLevel: level, publishesFlatTopics: options.flatTopics)
                }
            },
            Job { await outbox.forward(dependencies.log, to: topics.bridgeLog, counters) },
            Job { try await reporter.run { await publisher.report($0) } },
            Job { try await births.run() },
            Job { try await duplicates.run { await publisher.handle($0) } },
            Job {
                await monitor.run()
            } atEnd: {
                dependencies.probe.gate?.settle()
            },
            Job { await announcements.run(port: dependencies.announcementPort, access.heard) },
            Job { await histories.run() },
            Job { await snapshots.run(monitor.pictures) },
            Job { try await snapshotPublisher.run() },
        ]
        if let fleet = dependencies.fleet, let shared {
            let sessions = SlotSessions(dependencies.sharedConfiguration, fleet.ownership, logger: logger) {
                (try await makeCommands($0, $1), try makeRequests($0, $1))
            }
            let beacon = FleetBeacon(
                dependencies.sharedConfiguration,
                lease: fleet.lease,
                topics: topics,
                logger: logger
            )
            let duties = BridgeDuties(
                ownership: fleet.ownership,
                store: shared,
                registry: registry,
                monitor: monitor,
                publisher: publisher,
                pictures: snapshotPublisher,
                sessions: sessions,
                outbox: outbox,
                counters: counters,
                topics: topics,
                beacon: beacon,
                logger: logger
            )
            services.append(
                Job {
                    try await fleet.run(duties)
                } atEnd: {
                    await fleet.leave(duties)
                }
            )
        }
        if let go2rtc, let server = dependencies.streamServer {
            // A stream that one member of a fleet left may be another member's by now.
            let left = shared == nil ? store : InMemorySettingsStore()
            let push = Go2RTCPush(
                server,
                registry: registry,
                streamName: topics.go2rtcStream,
                store: left,
                logger: logger
            )
            services.append(Job { await go2rtc.run() })
            services.append(Job { await snapshots.run(go2rtc.pictures) })
            services.append(Job { try await push.run() })
        }
        if !policy.hasDecoder {
            services.append(Job { await snapshots.watchForDecoder(warn: warn, resolve: resolve) })
        }
        if let supervision = dependencies.supervision {
            let states = client.events().map { [broker = dependencies.brokerAddress] event in
                if case .connected = event { "Connected to \(broker)." } else { "\(broker) is unreachable; retrying." }
            }
            let job = Job {
                await supervision.run(starts: publisher.starts, states: states) {
                    // Both work on the client's thread.
                    _ = await (publisher.isOnline, registry.ids)
                }
            } atEnd: {
                supervision.stopping()
            }
            services.append(job)
        }
        self.client = client
        self.services = services + (try dependencies.companions.map { try $0(access) })
    }
}
