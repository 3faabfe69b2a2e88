import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge

@Suite struct `The broker that settings come from` {
    private let store = InMemorySettingsStore()

    private func identity(_ broker: String = "mqtt://a:1883", _ base: String = "printer2mqtt") -> BrokerIdentity {
        BrokerIdentity(broker: broker, base: base, store: store)
    }

    @Test func `is none at first, and then the one that has accepted the bridge`() async throws {
        #expect(try await !identity().isOther())
        try await identity().remember()
        #expect(try await !identity().isOther())
    }

    @Test(arguments: [("mqtt://b:1883", "printer2mqtt"), ("mqtt://a:1883", "farm")])
    func `is another one with another address or base topic`(broker: String, base: String) async throws {
        try await identity().remember()
        #expect(try await identity(broker, base).isOther())
        // A wrong address that never answers changes nothing.
        #expect(try await !identity().isOther())
        try await identity(broker, base).remember()
        #expect(try await !identity(broker, base).isOther())
        #expect(try await identity().isOther())
    }
}
