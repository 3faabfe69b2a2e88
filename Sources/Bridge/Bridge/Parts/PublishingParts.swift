import Concurrency
import Logging
import MQTT
import Platform
import ServiceLifecycle
import StoredSettings
import Synchronization

/// What publishes topics and pictures, and what makes it publish them again.
struct PublishingParts: Sendable {
    let publisher: Publisher
    let services: [any Service]

    init(
        _ context: BridgeContext,
        _ dependencies: BridgeDependencies,
        _ store: any SettingsStore,
        _ runtime: RuntimeOptions,
        _ info: BridgeInfo,
        client: MQTTClient
    ) throws {
        let publisher = Publisher(
            context,
            client: client,
            rendering: try dependencies.renderContext(over: store, runtime),
            info: info,
            manifest: Manifest(store: store),
            hasClientIDOfStore: dependencies.hasClientIDOfStore
        )
        let pictures = PicturePublisher(context, client: client, cache: dependencies.snapshots, publisher: publisher)
        // A retained birth is old news: what Home Assistant missed, it gets as retained messages.
        let birth = MQTTSubscriptionOptions(
            try MQTTTopicFilter(context.topics.homeAssistantStatus),
            retainHandling: .doNotSend
        )
        let homeAssistant = ResilientSubscription(context, client: client, options: [birth], buffer: .newest(10))
        let duplicates = try DuplicateBridgeWatch(
            context,
            client: client,
            info: info,
            store: store,
            publishesDiscovery: dependencies.options.publishesDiscovery
        )
        let (births, deletions) = (Wakeup(), Wakeup())
        // A client that imitates another bridge cannot make this one publish without end.
        let answers = Mutex(RateLimit(burst: 10, perSecond: 1 / 30))
        self.publisher = publisher
        services = [
            Job {
                try await publisher.run()
            } atEnd: {
                await publisher.goOffline()
            },
            Job { try await pictures.run() },
            Job {
                for await _ in runtime.commits() {
                    let level = runtime.logLevel ?? dependencies.options.logLevel
                    dependencies.setLogLevel(level)
                    await publisher.apply(logLevel: level, publishesFlatTopics: runtime.flatTopics)
                }
            },
            // Home Assistant may have missed messages before it started or connected again.
            Job { try await homeAssistant.forEach { if $0.payload.elementsEqual("online".utf8) { births.signal() } } },
            Job {
                var limit = RateLimit(burst: 3, perSecond: 1 / 30)
                while await births.next() {
                    // All bridges hear it at once; they should not all answer at once.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...5_000)))
                    context.outbox.repeatUnheard()
                    await publisher.replay()
                    await pictures.replay()
                    if !limit.allows(at: MachineClock.now) { try await Task.sleep(for: .seconds(30)) }
                }
            },
            Job {
                try await duplicates.run { signal in
                    switch signal {
                    case .emptied: deletions.signal()
                    case _ where answers.withLock({ $0.allows(at: MachineClock.now) }): await publisher.handle(signal)
                    case .gone:
                        context.warnings.resolve([.baseTopicInUse])
                        deletions.signal()
                    case .present, .replaced: break
                    }
                }
            },
            Job {
                while await deletions.next() {
                    context.logger.warning("Another client changes topics of the bridge; publishing all again")
                    // A client that deletes a tree takes some time for it. Two programs that undo each other's work must not
                    // fill the broker.
                    for pause in [5, 55] {
                        try await Task.sleep(for: .seconds(pause))
                        await publisher.replay()
                        await pictures.replay(evenIfRetained: true)
                    }
                }
            },
        ]
    }
}
