import MQTT
import ServiceLifecycle

/// A subscription that is kept whatever the broker says: that it refuses is a state to tell of, not an end.
struct Listener: Sendable {
    /// How long to wait before a refused subscription is asked for again.
    static let patience = Duration.seconds(60)

    let client: MQTTClient
    let options: MQTTSubscriptionOptions
    let limit: Int
    let counters: BridgeCounters
    let warn: @Sendable (BridgeWarning) async -> Void

    /// Calls `body` with each message, until it is cancelled or the client has ended.
    func forEach(_ body: (MQTTMessage) async throws -> Void) async throws {
        while true {
            do {
                let subscription = try await client.subscribe([options], buffer: .newest(limit))
                var dropped = 0
                for try await message in subscription {
                    counters.count(.received)
                    if subscription.dropped > dropped {
                        counters.count(.dropped, subscription.dropped - dropped)
                        dropped = subscription.dropped
                        await warn(droppedWarning)
                    }
                    try await body(message)
                }
                return
            } catch let error as MQTTError where error.code == .shutDown {
                return
            } catch let error as MQTTError where error.code == .refused {
                await warn(
                    BridgeWarning(.subscriptionRefused, "\(options.filter): \(error.message) Check the broker's ACL")
                )
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.patience) }
            }
        }
    }

    private var droppedWarning: BridgeWarning {
        BridgeWarning(
            .messagesDropped,
            "Messages on \(options.filter) came faster than they could be handled, and the oldest were dropped"
        )
    }
}
