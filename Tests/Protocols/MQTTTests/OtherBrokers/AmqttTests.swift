import Foundation
import MQTT
import OpenSSL
import TestSupport
import Testing

@Suite(
    "A broker of another make, amqtt",
    .endsAll,
    .timeLimit(.minutes(5)),
    .enabled(Comment(rawValue: AmqttBroker.advice)) { await AmqttBroker.isInstalled() }
)
struct AmqttTests {
    @Test(arguments: [false, true])
    func `A restart is survived with the subscriptions`(usesTLS: Bool) async throws {
        let certificates = try Certificates()
        let certificate = (certificates.chain, certificates.key)
        let broker = try await AmqttBroker(certificate: usesTLS ? certificate : nil)
        let secure = try MQTTEndpoint.tls(
            host: "127.0.0.1",
            port: broker.port,
            trust: .pinned(sha256: certificates.fingerprint)
        )
        let running = try await RunningClient.connected(to: broker.port, as: "one") {
            $0.protocolVersion = .v311
            if usesTLS { $0.endpoint = secure }
        }
        let subscription = try await running.client.subscribe([.init("a")])
        for round in 0..<2 {
            await broker.kill()
            try await running.disconnected()
            try await broker.start()
            try await running.session()
            try await eventually("subscribed again") {
                _ = try? await running.client.publish(.init(topic: "a", payload: "\(round)", qos: .atLeastOnce))
                // It may pass on what comes right behind SUBSCRIBE before it has taken that up.
                return (try? await subscription.take(timeout: .seconds(1)).map(\.text)) == ["\(round)"]
            }
        }
    }

    @Test func `MQTT 5, to which it has no answer, is tried again and again`() async throws {
        let broker = try await AmqttBroker()
        let running = try RunningClient(.local(broker.port, "one") { $0.acknowledgeTimeout = .milliseconds(300) })
        let reason = try await running.failure()
        // Version 0.12 drops the connection, and forgets to close it.
        #expect([.refused, .closedOnConnect, .timeout].contains(reason.code), "\(reason)")
        try await running.failures(2)
    }
}
