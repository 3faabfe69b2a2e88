import Logging
import MQTT
import ServiceLifecycle

/// The snippets of the documentation, so that they are compiled; each in a function that gives them what they use.
enum Snippets {
    static func landing() async throws {
        let configuration = MQTTConfiguration(endpoint: .tcp(host: "localhost", port: 1883), clientID: "hall")
        try await MQTTClient.withConnection(configuration) { client in
            try await client.publish(MQTTMessage(topic: "hall/lamp", payload: "on", retain: true))
        }
    }

    // MARK: Connecting

    static func scope(_ configuration: MQTTConfiguration) async throws {
        do {
            try await MQTTClient.withConnection(configuration) { client in
                try await client.publish(MQTTMessage(topic: "hall/lamp", payload: "on"))
            }
        } catch let reason as MQTTDisconnectReason {
            print(reason.code.rawValue, reason.message)
        }
    }

    static func service(_ configuration: MQTTConfiguration, _ logger: Logger) async throws {
        let client = try MQTTClient(configuration: configuration, logger: logger)
        let group = ServiceGroup(services: [client], logger: logger)
        try await group.run()
    }

    static func events(_ client: MQTTClient) async {
        for await event in client.events() {
            switch event {
            case .connected(let session): print("connected", session.isResumed)
            case .disconnected(let reason, let pause): print(reason, pause.map { "next attempt in \($0)" } ?? "the end")
            case .connectFailed(let reason, _): print(reason)
            }
        }
    }

    static func endpoints(fingerprint: String) throws -> [MQTTEndpoint] {
        let usual = try MQTTEndpoint.tls(host: "broker.example", port: 8883, trust: .system)
        let pinned = try MQTTEndpoint.tls(host: "192.0.2.7", port: 8883, trust: .pinned(sha256: fingerprint))
        return [usual, pinned]
    }

    static func will(_ endpoint: MQTTEndpoint) -> MQTTConfiguration {
        var configuration = MQTTConfiguration(endpoint: endpoint, clientID: "hall")
        configuration.userName = "hall"
        configuration.password = { "secret" }
        configuration.will = MQTTWill(
            message: MQTTMessage(topic: "hall/state", payload: "offline", retain: true),
            delay: .seconds(5)
        )
        configuration.keepAlive = .seconds(30)
        configuration.protocolVersion = .v311
        return configuration
    }

    // MARK: Publishing

    static func publish(_ client: MQTTClient) async throws {
        let answer = try await client.publish(MQTTMessage(topic: "hall/door", payload: "open"))
        if answer.reason == .noMatchingSubscribers { print("nobody listens") }
    }

    static func publish(_ message: MQTTMessage, _ client: MQTTClient) async throws {
        do {
            try await client.publish(message)
        } catch let error as MQTTError where error.code == .refused {
            print("not allowed:", error.reason ?? .unspecifiedError)
        } catch let error as MQTTError where error.code == .connectionLost {
            print("it may or may not have arrived")
        }
    }

    static func publish(to room: String, _ client: MQTTClient) async throws {
        let topic = try MQTTTopic("hall/\(room)/lamp")
        try await client.publish(MQTTMessage(topic: topic, payload: "on"))
    }

    static func properties() -> MQTTMessage {
        var message = MQTTMessage(topic: "hall/temperature", payload: "21.5")
        message.properties.messageExpiry = .seconds(60)
        message.properties.isUTF8 = true
        return message
    }

    // MARK: Subscribing

    static func subscribe(_ client: MQTTClient) async throws {
        let subscription = try await client.subscribe([MQTTSubscriptionOptions("hall/+/state")])
        for try await message in subscription { print(message.topic, message.text) }
    }

    static func subscribeInScope(_ client: MQTTClient) async throws -> MQTTMessage? {
        let first = try await client.withSubscription([MQTTSubscriptionOptions("hall/door")]) {
            messages -> MQTTMessage? in
            for try await message in messages where message.text == "open" { return message }
            return nil
        }
        return first
    }

    static func batches(_ client: MQTTClient, _ save: ([MQTTMessage]) async throws -> Void) async throws {
        let orders = try await client.subscribe([MQTTSubscriptionOptions("orders")], buffer: .acknowledgedByReader)
        while let batch = try await orders.nextBatch() {
            try await save(batch)
        }
    }

    static func options() -> MQTTSubscriptionOptions {
        let options = MQTTSubscriptionOptions("hall/#", retainHandling: .doNotSend, noLocal: true)
        return options
    }

    // MARK: Connections

    static func session(_ configuration: inout MQTTConfiguration) {
        configuration.cleanStart = false
        configuration.sessionExpiry = .seconds(3600)
    }
}
