import SettingsSamples
import StoredSettings
import TestSupport
import Testing

@Suite("A store that goes back")
struct RestoredStoreTests {
    private let store = GatedStore(isDeaf: true)
    private let lamp: LampSettings

    init() async throws {
        lamp = LampSettings(store: store)
        for hours in 1...5 {
            lamp.hours = hours
            try await lamp.storage.commit()
        }
    }

    private func restore(_ values: [String: JSONValue?]) async throws {
        let copy = InMemorySettingsStore()
        try await copy.put("lamp/a", values)
        store.replace(with: copy)
    }

    private func announce() throws { store.tell(try store.read { StoreChanges(of: ["lamp/a"], in: $0) }) }

    @Test func `A restored store gives its values to the models, although its revision is lower`() async throws {
        try await restore(["hours": 2])
        try announce()
        try await eventually("the hours of the copy") { lamp.hours == 2 }
        #expect(lamp.storage.record?.revision == 1)
    }

    @Test func `A restored store keeps what is assigned then, and gives what else it has`() async throws {
        try await restore(["hours": 2, "name": "old"])
        lamp.hours = 9
        try await lamp.storage.commit()
        #expect(lamp.hours == 9)
        #expect(lamp.name == "old")
        try announce()
        #expect(LampSettings(store: store).hours == 9)
        #expect(lamp.hours == 9)
    }
}
