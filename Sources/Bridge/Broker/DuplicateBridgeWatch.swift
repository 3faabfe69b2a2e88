import MQTT

/// Listens to the bridge's own topics for another bridge that uses them.
struct DuplicateBridgeWatch: Sendable {
    private let topics: Topics
    /// What this bridge says of itself.
    private let info: BridgeInfo
    private let subscription: ResilientSubscription

    init(_ context: BridgeContext, client: MQTTClient, info: BridgeInfo) throws {
        let topics = context.topics
        self.topics = topics
        self.info = info
        // Live messages that waited in the session may be from an earlier run of this bridge: QoS 0 leaves them out.
        func options(_ topic: String, _ handling: MQTTSubscriptionOptions.RetainHandling) throws
            -> MQTTSubscriptionOptions
        {
            try .init(MQTTTopicFilter(topic), qos: .atMostOnce, retainHandling: handling, noLocal: true)
        }
        let options = [
            try options(topics.bridgeInfo, .send), try options(topics.bridgeAvailability, .doNotSend),
        ]
        // Where the bridge may not read its own topics, this watch is all that is missing: nothing to warn of.
        subscription = ResilientSubscription(
            context,
            client: client,
            options: options,
            buffer: .newest(100),
            warns: false
        )
    }

    /// Works until it is cancelled.
    func run(_ handle: (DuplicateBridgeSignal) async -> Void) async throws {
        try await subscription.forEach { message in
            let signal =
                message.topic.name == topics.bridgeInfo
                ? DuplicateBridgeSignal(
                    info: message.payload,
                    isRetained: message.retain,
                    instanceID: info.instanceID,
                    fleet: info.fleet
                )
                : DuplicateBridgeSignal(availability: message.text)
            if let signal { await handle(signal) }
        }
    }
}
