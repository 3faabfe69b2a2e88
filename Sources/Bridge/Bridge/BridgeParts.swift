import Announcements
import Go2RTC
import Logging
import MQTT
import Pictures
import Printers
import Probing
import StoredSettings

/// The parts of a running bridge, and which of them know each other.
struct BridgeParts: Sendable {
    let dependencies: BridgeDependencies
    let store: any SettingsStore
    let registry: PrinterRegistry
    let context: BridgeContext
    let client: MQTTClient
    /// The store as the members of a fleet share it; nil for a bridge that is alone.
    let shared: FleetStore?
    let options: RuntimeOptions
    let publisher: Publisher
    let duplicates: DuplicateBridgeWatch
    let monitor: HealthMonitor
    let announcements: AddressWatch
    /// Nil without a go2rtc.
    let go2rtc: Go2RTCPictures?
    let snapshots: SnapshotService
    let snapshotPublisher: SnapshotPublisher
    let births: BirthWatch
    let handler: RequestHandler
    let access: BridgeAccess

    /// Makes the parts over a registry that is loaded.
    ///
    /// - Throws: If the store cannot be read, or if the configured names make no topics.
    init(
        _ dependencies: BridgeDependencies,
        store: any SettingsStore,
        registry: PrinterRegistry,
        logger: Logger
    ) throws {
        let info = dependencies.initialInfo
        let context = BridgeContext(topics: dependencies.topics, logger: logger, warnings: info.warnings)
        let shared = dependencies.fleet == nil ? nil : store as? FleetStore
        let isMine: @Sendable (PrinterID) -> Bool = { shared?.ownership.owns($0) ?? true }
        let policy = SnapshotPolicy(
            hasDecoder: PictureMaker.installed.decodesVideo,
            usesGo2RTC: dependencies.streamServer != nil
        )
        let reporter = HealthReporter(registry: registry, counters: context.counters)
        self.dependencies = dependencies
        self.store = store
        self.registry = registry
        self.context = context
        self.shared = shared
        client = MQTTClient(configuration: dependencies.clientConfiguration, logger: logger)
        options = RuntimeOptions(store: store, scope: RuntimeOptions.scope)
        let publisher = Publisher(
            context,
            client: client,
            registry: registry,
            rendering: try dependencies.renderContext(over: store, options),
            info: info,
            manifest: Manifest(store: store),
            fleet: shared
        )
        self.publisher = publisher
        duplicates = try DuplicateBridgeWatch(context, client: client, info: info, store: store)
        monitor = HealthMonitor(
            registry: registry,
            snapshots: policy,
            probe: { await dependencies.probe.attempt($0, known: $1, keepsPicture: $2) },
            count: { isHealthy in
                context.counters.count(.probes)
                if !isHealthy { context.counters.count(.failedProbes) }
            },
            announce: context.announce,
            isMine: isMine,
            logger: logger
        )
        announcements = AddressWatch(
            registry: registry,
            verify: { await dependencies.probe.verify($0, for: $1, known: $2) },
            announce: context.announce,
            logger: logger
        )
        let go2rtc = dependencies.streamServer.map { server in
            Go2RTCPictures(
                server,
                streamName: context.topics.go2rtcStream,
                registry: registry,
                policy: policy,
                logger: logger
            )
        }
        self.go2rtc = go2rtc
        snapshots = SnapshotService(
            policy: policy,
            maker: .installed,
            cache: dependencies.snapshots,
            registry: registry,
            requestFromGo2RTC: { await go2rtc?.request($0) },
            logger: logger
        )
        snapshotPublisher = SnapshotPublisher(
            context,
            client: client,
            registry: registry,
            cache: dependencies.snapshots,
            manifest: Manifest(store: store, prefix: StoreScope.snapshots),
            isRetained: dependencies.retainsSnapshots,
            isIdle: { await publisher.isIdle },
            isMine: isMine
        )
        births = try BirthWatch(context, client: client, publisher: publisher, pictures: snapshotPublisher)
        handler = RequestHandler(
            registry: registry,
            monitor: monitor,
            snapshots: snapshots,
            settings: options,
            health: { await reporter.report().document },
            restarting: dependencies.restart
        )
        access = BridgeAccess(
            snapshots: dependencies.snapshots,
            heard: HeardPrinters(),
            hearsAnnouncements: dependencies.announcementPort != nil,
            registry: registry,
            handler: handler,
            publisher: publisher,
            reporter: reporter,
            histories: HistoryRecorder(registry: registry),
            probe: dependencies.probe,
            epoch: try store.epoch
        )
    }

    /// Makes the reader of configuration messages; in a fleet there is one for each slot.
    func commands(of slot: OwnedSlot?, on client: MQTTClient) async throws -> ConfigInbox {
        try ConfigInbox(
            context,
            client: client,
            registry: registry,
            known: await registry.ids.filter { slot?.contains($0.description) ?? true },
            identity: BrokerIdentity(
                broker: dependencies.brokerAddress,
                base: context.topics.base,
                version: client.configuration.protocolVersion,
                slot: slot?.slot,
                store: store
            ),
            slot: slot,
            // The connections of a slot are not the publisher's.
            replayed: { [publisher] in if slot == nil { await publisher.endReplay(on: $0) } }
        )
    }

    /// Makes the reader of requests; in a fleet there is one for each slot, and one for the leader.
    func requests(of slot: OwnedSlot?, on client: MQTTClient) throws -> RequestInbox {
        try RequestInbox(
            context,
            client: client,
            handler: handler,
            isServing: { [publisher] in await !publisher.hasLeft },
            isMine: { [shared] verb, payload in
                if let slot { return slot.isOwned && slot.contains(verb, payload) }
                guard let shared else { return true }
                return shared.ownership.isLeader && OwnedSlot.printer(ofRequest: verb, payload) == nil
            },
            flush: { [publisher] in await publisher.flush() }
        )
    }
}
