import Concurrency
import Logging
import MQTT
import ServiceLifecycle
import StoredSettings

/// What publishes topics and pictures, and what makes it publish them again.
struct PublishingParts: Sendable {
    let publisher: Publisher
    let services: [any Service]

    init(
        _ context: BridgeContext,
        _ dependencies: BridgeDependencies,
        _ store: any SettingsStore,
        _ options: RuntimeOptions,
        _ info: BridgeInfo,
        client: MQTTClient
    ) throws {
        let publisher = Publisher(
            context,
            client: client,
            rendering: try dependencies.renderContext(over: store, options),
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
        let births = ResilientSubscription(context, client: client, options: [birth], buffer: .newest(10))
        let duplicates = try DuplicateBridgeWatch(
            context,
            client: client,
            info: info,
            store: store,
            publishesDiscovery: dependencies.publishesDiscovery
        )
        let deletions = Wakeup()
        self.publisher = publisher
        services = [
            Job {
                try await publisher.run()
            } atEnd: {
                await publisher.goOffline()
            },
            Job { try await pictures.run() },
            Job {
                for await _ in options.commits() {
                    let level = options.logLevel ?? dependencies.logLevel
                    dependencies.setLogLevel(level)
                    await publisher.apply(logLevel: level, publishesFlatTopics: options.flatTopics)
                }
            },
            // Home Assistant may have missed messages before it started or connected again.
            Job {
                try await births.forEach { message in
                    guard message.payload.elementsEqual("online".utf8) else { return }
                    // All bridges hear it at once; they should not all answer at once.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...5_000)))
                    context.outbox.repeatUnheard()
                    await publisher.replay()
                    await pictures.replay()
                }
            },
            Job {
                try await duplicates.run { signal in
                    if signal == .emptied { deletions.signal() } else { await publisher.handle(signal) }
                }
            },
            Job {
                while await deletions.next() {
                    context.logger.warning("Another client deleted retained topics of the bridge; publishing all again")
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
