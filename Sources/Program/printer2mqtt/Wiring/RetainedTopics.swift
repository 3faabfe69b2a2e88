import Bridge
import ForeignText
import Foundation
import MQTT
import StoredSettings

/// Reads what the broker retains, and knows when it has all.
///
/// A message to this client itself, the marker, arrives after all that most brokers retain. EMQX may send retained messages
/// somewhat later, so a second marker follows. A bridge that runs ignores both: no printer has that name.
struct RetainedTopics {
    struct Snapshot: Sendable {
        var payloads: [String: String] = [:]
        /// Whether the marker came back: the user receives commands, and nothing is missing.
        var isComplete = false
    }

    /// How long after the first marker retained messages may still come.
    private static let lateness = Duration.milliseconds(250)

    let topics: Topics
    /// How long to wait if the marker does not come back.
    let timeout: Duration

    /// Reads the retained messages.
    func read(_ filters: [String], with client: MQTTClient) async throws -> Snapshot {
        let options = try (filters + [topics.configSetMarker]).map { try MQTTSubscriptionOptions(MQTTTopicFilter($0)) }
        let subscription = try await client.subscribe(options, buffer: .newest(100_000))
        defer { subscription.cancel() }
        return try await subscription.ending(after: timeout) { messages in
            var snapshot = Snapshot()
            try await readUpToMarker(from: messages, with: client, into: &snapshot)
            guard snapshot.isComplete else { return snapshot }
            try await Task.sleep(for: Self.lateness)
            try await readUpToMarker(from: messages, with: client, into: &snapshot)
            return snapshot
        }
    }

    private func readUpToMarker(
        from subscription: MQTTSubscription,
        with client: MQTTClient,
        into snapshot: inout Snapshot
    ) async throws {
        let marker = #"{"test":"\#(UUID().uuidString)"}"#
        // If the broker refuses the marker, it does not come back: the timeout ends the wait.
        _ = try? await client.publish(MQTTMessage(topic: try MQTTTopic(topics.configSetMarker), payload: marker))
        for try await message in subscription {
            if message.payload.elementsEqual(marker.utf8), topics.isMarker(message) {
                snapshot.isComplete = true
                break
            }
            if !topics.isMarker(message), message.topic.name.isStreamSafe {
                snapshot.payloads[message.topic.name] = message.text
            }
        }
    }
}
