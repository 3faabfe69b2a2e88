import MQTT

/// Publishes everything again after Home Assistant has started: it may have missed it.
struct BirthWatch: Sendable {
    let client: MQTTClient
    let topics: Topics
    let publisher: Publisher

    /// Works until it is cancelled.
    func run() async throws {
        // A retained birth is old news: what it missed it gets as retained messages.
        let filter = MQTTSubscriptionOptions(topics.homeAssistantStatus, retainHandling: .doNotSend)
        for try await message in try await client.subscribe([filter], buffer: .newest(1)) where message.text == "online"
        {
            // All bridges hear it at once; they should not all answer at once.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...5_000)))
            await publisher.replay()
        }
    }
}
