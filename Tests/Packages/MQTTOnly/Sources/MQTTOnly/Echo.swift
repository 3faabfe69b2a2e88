import MQTT

/// Subscribes, publishes, and prints what comes back: `MQTTOnly HOST PORT [FINGERPRINT]`, the last for TLS.
@main
struct Echo {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let host = arguments.first, let port = arguments.dropFirst().first.flatMap({ Int($0) }) else {
            return print("usage: MQTTOnly HOST PORT [FINGERPRINT]")
        }
        let endpoint =
            if let fingerprint = arguments.dropFirst(2).first {
                try MQTTEndpoint.tls(host: host, port: port, trust: .pinned(sha256: fingerprint))
            } else {
                MQTTEndpoint.tcp(host: host, port: port)
            }
        let configuration = MQTTConfiguration(endpoint: endpoint, clientID: "example")
        try await MQTTClient.withConnection(configuration) { client in
            try await client.withSubscription([MQTTSubscriptionOptions("example/echo")]) { messages in
                try await client.publish(MQTTMessage(topic: "example/echo", payload: "hello"))
                for try await message in messages { return print(message.text) }
            }
        }
    }
}
