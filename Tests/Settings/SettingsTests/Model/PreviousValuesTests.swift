import SettingsSamples
import StoredSettings
import Testing

@Suite("What is stored of old")
struct PreviousValuesTests {
    private static let level = SettingsKey("level", default: 5, SettingMetadata(previousKeys: ["old_level"]))
    private static let mode = SettingsKey("mode", default: LampMode.off)
    private static let schema = SettingsSchema(level, mode)

    private let store = InMemorySettingsStore()

    private var storage: SettingsStorage { SettingsStorage(scope: "s", schema: Self.schema, store: store) }

    @Test(arguments: [false, true])
    func `The default over an unfit value is stored, and nothing is wrong any more`(applied: Bool) async throws {
        try await store.put("s", ["mode": "disco"])
        let storage = storage
        #expect(storage.error(of: Self.mode) != nil)
        if applied {
            try await storage.apply(["mode": "off"])
        } else {
            storage[Self.mode] = .off
        }
        #expect(storage.error == nil)
        try await storage.commit()
        #expect(store.record("s")?.values["mode"] == "off")
        #expect(storage.error == nil)
    }

    @Test(
        arguments: [JSONValue.int(3), "unfit"],
        [false, true]
    )
    func `A reset removes previous keys, whatever they hold`(previous: JSONValue, all: Bool) async throws {
        try await store.put("s", ["level": 7, "old_level": previous])
        let storage = storage
        if all { storage.resetAll() } else { storage.reset(Self.level) }
        try await storage.commit()
        #expect(store.record("s")?.values == [:])
        #expect(storage[Self.level] == 5)
        #expect(self.storage[Self.level] == 5)
    }

    @Test func `Of keys that share a name, the one that was assigned or reset last is stored`() async throws {
        let storage = storage
        let text = SettingsKey("level", default: "none")
        storage[text] = "high"
        try await storage.commit()
        #expect(store.record("s")?.values["level"] == "high")
        storage[Self.level] = 9
        try await storage.commit()
        #expect(store.record("s")?.values["level"] == 9)
        storage.reset(text)
        try await storage.commit()
        #expect(store.record("s")?.values["level"] == nil)
    }
}
