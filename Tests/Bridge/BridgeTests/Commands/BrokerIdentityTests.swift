import MQTT
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge

@Suite("The broker that settings come from")
struct BrokerIdentityTests {
    private let store = InMemorySettingsStore()

    private func identity(
        _ host: String = "a",
        _ base: String = "printer2mqtt",
        _ version: MQTTProtocolVersion = .v5
    ) -> BrokerIdentity {
        var broker = MQTTConfiguration(endpoint: .tcp(host: host, port: 1_883), clientID: "")
        broker.protocolVersion = version
        return BrokerIdentity(broker, base: base, store: store)
    }

    @Test(arguments: [("b", "printer2mqtt"), ("a", "farm")])
    func `The broker is another one with another address or base topic`(host: String, base: String) async throws {
        try await identity().remember()
        #expect(try await identity(host, base).isOther())
        // A wrong address that never answers changes nothing.
        #expect(try await !identity().isOther())
        try await identity(host, base).remember()
        #expect(try await !identity(host, base).isOther())
        #expect(try await identity().isOther())
    }

    @Test func `The broker's identity remembers MQTT 3.1.1 until it remembers a session of MQTT 5`() async throws {
        #expect(try await !identity().hasLeftMQTT3())
        let before = identity("a", "printer2mqtt", .v311)
        try await before.remember()
        #expect(try await !before.hasLeftMQTT3())
        #expect(try await identity().hasLeftMQTT3())
        #expect(try await !identity().isOther())
        try await identity().remember()
        #expect(try await !identity().hasLeftMQTT3())
    }
}
