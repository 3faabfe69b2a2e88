import Bridge
import Foundation
import MQTT

/// Reads what the broker retains, and knows when it has all.
///
/// A test message to this client itself arrives after all that the broker retains, so that no time limit is needed. A
/// bridge that runs ignores the message: no printer has that name.
struct RetainedTopics {
    struct Snapshot: Sendable {
        /// The payloads, by topic.
        var payloads: [String: String] = [:]
        /// Whether the test message came back: the user receives commands, and nothing is missing.
        var isComplete = false
    }

    let topics: Topics
    /// How long to wait if the test message does not come back.
    let timeout: Duration

    /// Subscribes, and reads what is retained; messages that follow stay in the subscription.
    ///
    /// - Parameters:
    ///   - filters: Which topics.
    ///   - client: A client that is connected.
    /// - Returns: What is retained, and the subscription.
    /// - Throws: What the client throws; `refused` if the broker does not accept the subscription.
    func read(
        _ filters: [String],
        with client: MQTTClient
    ) async throws -> (snapshot: Snapshot, subscription: MQTTSubscription) {
        let mark = #"{"test":"\#(UUID().uuidString)"}"#
        let options = try (filters + [topics.configSetTest]).map { try MQTTSubscriptionOptions(MQTTTopicFilter($0)) }
        let subscription = try await client.subscribe(options, buffer: .newest(100_000))
        // Refused, it does not come back either.
        _ = try? await client.publish(MQTTMessage(topic: try MQTTTopic(topics.configSetTest), payload: mark))
        let limit = Task {
            try await Task.sleep(for: timeout)
            subscription.cancel()
        }
        defer { limit.cancel() }
        var snapshot = Snapshot()
        for try await message in subscription {
            if message.topic.name != topics.configSetTest {
                snapshot.payloads[message.topic.name] = message.text
            } else if message.text == mark {
                snapshot.isComplete = true
                break
            }
        }
        return (snapshot, subscription)
    }
}

extension Topics {
    /// Where a test message is published that the bridge's user has to receive; `~` is no printer's id.
    var configSetTest: String { "\(base)/~/config/set" }
}
