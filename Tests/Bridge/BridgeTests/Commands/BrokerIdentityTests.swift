import MQTT
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge

@Suite("The broker that settings come from")
struct BrokerIdentityTests {
    private let store = InMemorySettingsStore()

    private func identity(
        _ broker: String = "mqtt://a:1883",
        _ base: String = "printer2mqtt",
        _ version: MQTTProtocolVersion = .v5
    ) -> BrokerIdentity { BrokerIdentity(broker: broker, base: base, version: version, store: store) }

    @Test(arguments: [("mqtt://b:1883", "printer2mqtt"), ("mqtt://a:1883", "farm")])
    func `The broker is another one with another address or base topic`(broker: String, base: String) async throws {
        try await identity().remember()
        #expect(try await identity(broker, base).isOther())
        // A wrong address that never answers changes nothing.
        #expect(try await !identity().isOther())
        try await identity(broker, base).remember()
        #expect(try await !identity(broker, base).isOther())
        #expect(try await identity().isOther())
    }

    @Test func `The broker's identity remembers MQTT 3.1.1 until it remembers a session of MQTT 5`() async throws {
        #expect(try await !identity().hasLeftMQTT3())
        let before = identity("mqtt://a:1883", "printer2mqtt", .v311)
        try await before.remember()
        #expect(try await !before.hasLeftMQTT3())
        #expect(try await identity().hasLeftMQTT3())
        #expect(try await !identity().isOther())
        try await identity().remember()
        #expect(try await !identity().hasLeftMQTT3())
    }
}
