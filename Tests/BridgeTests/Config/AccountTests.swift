import Settings
import Testing

@testable import Bridge

@Suite struct AccountTests {
    private let store = InMemorySettingsStore()

    private func event(_ broker: String = "mqtt://a:1883", _ base: String = "printer2mqtt") async throws -> SyncEvent {
        try await Account.open(broker: broker, base: base, in: store).syncEvent
    }

    @Test("The first start is an initial sync, and so is the next with the same broker")
    func same() async throws {
        #expect(try await event() == .initialSync)
        #expect(try await event() == .initialSync)
    }

    @Test(
        "Another broker or another base topic is another account, once",
        arguments: [("mqtt://b:1883", "printer2mqtt"), ("mqtt://a:1883", "farm")]
    )
    func other(broker: String, base: String) async throws {
        #expect(try await event() == .initialSync)
        #expect(try await event(broker, base) == .accountChange)
        #expect(try await event(broker, base) == .initialSync)
        #expect(try await event() == .accountChange)
    }
}
