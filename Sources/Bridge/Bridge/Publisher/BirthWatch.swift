import MQTT

/// Publishes everything again after Home Assistant has started or connected again: it may have missed messages.
struct BirthWatch: Sendable {
    private let outbox: Outbox
    private let publisher: Publisher
    private let pictures: PicturePublisher
    private let subscription: ResilientSubscription

    init(_ context: BridgeContext, client: MQTTClient, publisher: Publisher, pictures: PicturePublisher) throws {
        outbox = context.outbox
        self.publisher = publisher
        self.pictures = pictures
        // A retained birth is old news: what Home Assistant missed, it gets as retained messages.
        let filter = try MQTTTopicFilter(context.topics.homeAssistantStatus)
        let options = MQTTSubscriptionOptions(filter, retainHandling: .doNotSend)
        subscription = ResilientSubscription(context, client: client, options: [options], buffer: .newest(10))
    }

    func run() async throws {
        try await subscription.forEach { message in
            guard message.payload.elementsEqual("online".utf8) else { return }
            // All bridges hear it at once; they should not all answer at once.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...5_000)))
            outbox.repeatUnheard()
            await publisher.replay()
            await pictures.replay()
        }
    }
}
