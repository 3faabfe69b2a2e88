import MQTT
import StoredSettings
import TestSupport
import Testing

@testable import Bridge

@Suite(.timeLimit(.minutes(1)))
struct `Retained commands on a real broker` {
    @Test func `are told from those that are published now`() async throws {
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
}
