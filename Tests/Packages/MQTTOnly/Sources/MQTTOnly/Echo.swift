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
                try secure(host, port, .pinned(sha256: fingerprint))
            } else {
                MQTTEndpoint.tcp(host: host, port: port)
            }
        let configuration = MQTTConfiguration(endpoint: endpoint, clientID: "example")
        let topic = try MQTTTopic("example/\(configuration.clientID)")
        let answer = try await MQTTClient.withConnection(configuration) { client in
            try await client.withSubscription([MQTTSubscriptionOptions("example/+")]) { messages in
                try await client.publish(MQTTMessage(topic: topic, payload: "hello"))
                return try await messages.first { $0.topic == topic }
            }
        }
        print(answer?.text ?? "nothing")
    }

    /// What TLS needs is spelled out with nothing but this import.
    static func secure(_ host: String, _ port: Int, _ trust: TrustPolicy) throws(TLSFailure) -> MQTTEndpoint {
        let identity: TLSIdentity? = nil
        return try .tls(host: host, port: port, trust: trust, identity: identity)
    }
}
