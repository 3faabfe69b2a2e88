import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import MQTT
@testable import Printers

@Suite("Retained commands on a real broker", .timeLimit(.minutes(1)))
struct ReplayWindowTests {
    @Test func `Retained commands are told from those that are published now`() async throws {
        let broker = try await MosquittoBroker.start()
        let configuration = MQTTConfiguration(endpoint: .tcp(host: "127.0.0.1", port: broker.port), clientID: "")
        let retentions = try await MQTTClient.withConnection(configuration) { client in
            try await client.publish(MQTTMessage(topic: "b/x/config/set", payload: "1", retain: true))
            let options = MQTTSubscriptionOptions("b/+/config/set", retainAsPublished: true)
            let messages = try await client.subscribe([options])
            var window = ReplayWindow(instanceID: "me")
            let marker = window.marker(of: 1).json()
            try await client.publish(MQTTMessage(topic: "b/~/config/set", payload: marker))
            try await client.publish(MQTTMessage(topic: "b/x/config/set", payload: "2", retain: true))
            try await client.publish(MQTTMessage(topic: "b/x/config/set", payload: "3"))
            var retentions: [ConfigMessage.Retention] = []
            for try await message in messages {
                if window.end(with: message) { continue }
                retentions.append(window.retention(of: message, .v5))
                if retentions.count == 3 { break }
            }
            return retentions
        }
        #expect(retentions == [.replayed, .retained, .none])
    }

    private func command(_ topic: MQTTTopic = "b/x/config/set", connection: UInt64, retain: Bool = true) -> MQTTMessage
    {
        var message = MQTTMessage(topic: topic, payload: "1", retain: retain)
        message.connection = connection
        return message
    }

    @Test func `A topic's first retained command may be a replay for some seconds after the marker`() {
        var window = ReplayWindow(instanceID: "me")
        let start = ContinuousClock.now
        func retention(_ message: MQTTMessage, after seconds: Int) -> ConfigMessage.Retention {
            window.retention(of: message, .v5, at: start + .seconds(seconds))
        }
        var marker = MQTTMessage(topic: "b/~/config/set", payload: window.marker(of: 1).json())
        marker.connection = 1
        let before = retention(command(connection: 1), after: 0)
        let isMarker = window.end(with: marker, at: start)
        let after = [
            retention(command(connection: 1), after: 1),
            retention(command("b/y/config/set", connection: 1, retain: false), after: 1),
            retention(command("b/y/config/set", connection: 1), after: 1),
            retention(command("b/y/config/set", connection: 1), after: 2),
            retention(command("b/z/config/set", connection: 1), after: 10),
        ]
        #expect(before == .replayed && isMarker)
        #expect(after == [.retained, .none, .perhapsReplayed, .retained, .retained])
        // A new connection begins anew.
        let next = retention(command(connection: 2), after: 11)
        #expect(next == .replayed)
    }
}
