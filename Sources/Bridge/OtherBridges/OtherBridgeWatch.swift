import MQTT

/// Listens to the bridge's own topics for another bridge that uses them.
struct OtherBridgeWatch: Sendable {
    let client: MQTTClient
    let topics: Topics
    let instanceID: String
    let counters: BridgeCounters
    /// Told of each sign.
    let meet: @Sendable (OtherBridgeSign) async -> Void

    /// Works until it is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await listen(on: topics.bridgeInfo) { OtherBridgeSign(info: $0.payload, heardBy: instanceID) }
            }
            group.addTask {
                try await listen(on: topics.bridgeAvailability) { OtherBridgeSign(availability: $0.text) }
            }
            try await group.waitForAll()
        }
    }

    private func listen(on topic: String, _ read: (MQTTMessage) -> OtherBridgeSign?) async throws {
        // What is retained may be from an earlier run of this bridge, and so may what waited in its session: QoS 0 does not.
        let options = try MQTTSubscriptionOptions(
            MQTTTopicFilter(topic),
            qos: .atMostOnce,
            retainHandling: .doNotSend,
            noLocal: true
        )
        // Where the bridge may not read its own topics, this watch is all that is missing: nothing to warn of.
        let listener = Listener(client: client, options: options, limit: 100, counters: counters, warn: { _ in })
        try await listener.forEach { message in
            if !message.retain, let sign = read(message) { await meet(sign) }
        }
    }
}
