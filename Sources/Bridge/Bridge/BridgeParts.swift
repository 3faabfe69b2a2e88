import Announcements
import CameraProtocols
import Cameras
import Concurrency
import Logging
import MQTT
import Pictures
import Platform
import Printers
import Recorder
import Relay
import ServiceLifecycle
import StoredSettings

/// The parts of a running bridge: each is made and added to ``services`` in one place.
struct BridgeParts: Sendable {
    let client: MQTTClient
    /// What runs, in the order of the start; the group shuts down from the last to the first.
    ///
    /// So probes end, then `offline` is published, then the client disconnects. The readers of its messages end last: they
    /// lose nothing that the client acknowledged, and the broker keeps their subscriptions.
    private(set) var services: [any Service] = []

    /// Makes the parts over a registry that is loaded.
    init(
        _ dependencies: BridgeDependencies,
        store: any SettingsStore,
        registry: PrinterRegistry,
        logger: Logger
    ) async throws {
        let info = dependencies.initialInfo
        let shared = dependencies.assignment == nil ? nil : store as? OwnedSettingsStore
        let context = BridgeContext(
            topics: dependencies.topics,
            registry: registry,
            owned: shared,
            warnings: info.warnings,
            clips: ClipDesk(dependencies.clips.map { ClipFolder(path: $0, copies: dependencies.clipCopies) }),
            logger: logger
        )
        let client = MQTTClient(configuration: dependencies.clientConfiguration, logger: logger)
        self.client = client

        let options = RuntimeOptions(store: store, scope: RuntimeOptions.scope)
        let publisher = Publisher(
            context,
            client: client,
            rendering: try dependencies.renderContext(over: store, options),
            info: info,
            manifest: Manifest(store: store)
        )
        run {
            try await publisher.run()
        } atEnd: {
            await publisher.goOffline()
        }
        run {
            for await _ in options.commits() {
                let level = options.logLevel ?? dependencies.logLevel
                dependencies.setLogLevel(level)
                await publisher.apply(logLevel: level, publishesFlatTopics: options.flatTopics)
            }
        }

        run { await registry.followStore() }
        run { await context.warnings.warnOfSaveFaults(of: registry) }
        run {
            await registry.followWarnings(BridgeWarning.damagedSecrets) {
                context.warnings.replace(.secretDamaged, with: $0)
            }
        }
        run { await registry.followSharedSerials { context.warnings.replace(.serialShared, with: $0) } }
        run { await context.outbox.forward(dependencies.log, to: context.topics.bridgeLog, context.counters) }

        run {
            while !Task.isCancelled {
                await publisher.report(context.health)
                context.refusals.endMinute()
                try await Task.sleep(for: .seconds(BridgeHealth.interval))
            }
        }

        let duplicates = try DuplicateBridgeWatch(
            context,
            client: client,
            info: info,
            store: store,
            publishesDiscovery: dependencies.publishesDiscovery
        )
        let deletions = Wakeup()
        run {
            try await duplicates.run { if $0 == .emptied { deletions.signal() } else { await publisher.handle($0) } }
        }

        let policy = SnapshotPolicy(hasDecoder: PictureMaker.installed.decodesVideo)
        let relay = RelayedCameras()
        let feeds = CameraFeeds(registry: registry, probe: dependencies.probe, sink: relay.sink)
        let tested = TestedCamera()
        let probes = ProbeService(
            registry: registry,
            snapshots: policy,
            probe: { id, target, known, keepsPicture in
                guard context.isActive else { return .found(.cancelled) }
                if !keepsPicture, let found = tested.take(for: target) { return .found(found) }
                return await feeds.attempt(id, target, known: known, keepsPicture: keepsPicture)
            },
            count: { isHealthy in
                context.counters.count(.probes)
                if !isHealthy { context.counters.count(.failedProbes) }
            },
            post: context.post,
            logger: logger
        )
        run { await probes.run() }
        run { await feeds.run { _ = await probes.probeSoon($0) } }

        let recorder = RecorderService(
            context,
            feeds: feeds,
            relay: relay,
            maker: .installed,
            cache: dependencies.snapshots
        )
        run { await recorder.run() }

        let telemetry = TelemetryService(
            context,
            target: dependencies.linkTarget,
            dependencies.ledger,
            watch: recorder.note
        )
        run { await telemetry.run() }

        let witness = WitnessService(context, target: dependencies.linkTarget, dependencies.ledger)
        run { await witness.run() }

        let heard = HeardPrinters()
        let announcements = AddressWatch(
            registry: registry,
            verify: { await dependencies.probe.verify($0, for: $1, known: $2) },
            post: context.post,
            heard: { await probes.heard($0) },
            logger: logger
        )
        run { await announcements.run(port: dependencies.announcementPort, heard) }

        let snapshots = SnapshotService(
            registry: registry,
            logger: logger,
            policy: policy,
            maker: .installed,
            cache: dependencies.snapshots
        )
        run { await snapshots.run(probes.pictures) }
        run {
            await registry.followWarnings {
                BridgeWarning.missingDecoder(for: $0, policy)
            } tell: {
                context.warnings.replace(.decoderMissing, with: $0)
            }
        }
        let pictures = PicturePublisher(
            context,
            client: client,
            cache: dependencies.snapshots,
            publisher: publisher
        )
        run { try await pictures.run() }

        run {
            while await deletions.next() {
                logger.warning("Another client deleted retained topics of the bridge; publishing all again")
                // A client that deletes a tree takes some time for it. Two programs that undo each other's work must not fill
                // the broker.
                for pause in [5, 55] {
                    try await Task.sleep(for: .seconds(pause))
                    await publisher.replay()
                    await pictures.replay(evenIfRetained: true)
                }
            }
        }

        let births = try BirthWatch(context, client: client, publisher: publisher, pictures: pictures)
        run { try await births.run() }

        let handler = RequestHandler(
            context: context,
            probes: probes,
            snapshots: snapshots,
            witness: witness,
            settings: options,
            restarting: dependencies.restart
        )
        let readers = MessageReaders(
            context: context,
            broker: dependencies.brokerAddress,
            store: store,
            publisher: publisher,
            handler: handler
        )
        if let assignment = dependencies.assignment, let shared {
            let handler = BridgeOwnership(
                context: context,
                store: shared,
                probes: probes,
                feeds: feeds,
                telemetry: telemetry,
                publisher: publisher,
                sessions: SlotSessions(dependencies.sharedConfiguration, shared.ownership, readers: readers),
                leaderConnection: LeaderConnection(context, dependencies.sharedConfiguration, lease: assignment.lease)
            )
            run {
                try await assignment.run(handler)
            } atEnd: {
                await assignment.leave(handler)
            }
        }

        if let supervision = dependencies.supervision {
            let advice = ConnectionAdvice(for: client.configuration)
            let states = client.events().map { [broker = dependencies.brokerAddress] event in
                switch event {
                case .connected: "Connected to \(broker)."
                case .connectFailed(let reason, _), .disconnected(let reason, _):
                    "\(broker): \(advice.sentences(for: reason)) Retrying."
                }
            }
            run {
                await supervision.run(starts: publisher.started, states: states) {
                    // Both work on the client's thread.
                    _ = await (publisher.isOnline, registry.catchUp())
                }
            } atEnd: {
                supervision.stopping()
            }
        }

        let access = BridgeAccess(
            context: context,
            dependencies: dependencies,
            heard: heard,
            handler: handler,
            publisher: publisher,
            feeds: feeds,
            door: CameraDoor(registry: registry, probe: dependencies.probe, witness: witness, probes: probes),
            relay: relay,
            tested: tested,
            tokens: try ViewerTokens(store),
            epoch: try store.epoch
        )
        services += try dependencies.companions.map { Companion(service: try $0(access)) }

        // Where bridges share printers, the sessions of the slots bring the commands, and this one the requests for the leader.
        let commands = shared == nil ? try readers.commands(on: client) : nil
        let scope = shared?.ownership.leaderScope(context.topics) ?? MessageScope()
        let requests = try readers.requests(scope, on: client)
        services =
            [DrainingService { try await commands?.run() }, DrainingService { try await requests.run() }, client]
            + services
    }

    private mutating func run(
        _ work: @escaping @Sendable () async throws -> Void,
        atEnd: @escaping @Sendable () async -> Void = {}
    ) {
        services.append(Job(work: work, atEnd: atEnd))
    }
}
