import MQTT

/// Publishes everything again after Home Assistant has started: it may have missed it.
struct BirthWatch: Sendable {
    let client: MQTTClient
    let topics: Topics
    let publisher: Publisher
    let counters: BridgeCounters

    /// Works until it is cancelled.
    func run() async throws {
        // A retained birth is old news: what it missed it gets as retained messages.
        let filter = try MQTTSubscriptionOptions(
            MQTTTopicFilter(topics.homeAssistantStatus),
            retainHandling: .doNotSend
        )
        let listener = Listener(
            client: client,
            options: filter,
            limit: 10,
            counters: counters,
            warn: { await publisher.warn($0) }
        )
        try await listener.forEach { message in
            guard message.text == "online" else { return }
            // All bridges hear it at once; they should not all answer at once.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...5_000)))
            await publisher.replay()
        }
    }
}
