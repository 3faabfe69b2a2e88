import Foundation
import Settings
import TestSupport
import Testing

@Suite("What is stored of old")
struct FormerValuesTests {
    private static let level = SettingsKey("level", default: 5, SettingMetadata(previousKeys: ["old_level"]))
    private static let mode = SettingsKey("mode", default: LampMode.off)
    private static let schema = SettingsSchema(level, mode)

    private let store = InMemorySettingsStore()

    private func put(_ values: [String: StoredValue?]) async throws {
        try await store.transact { try $0.update("s", values, by: "other", at: Date()) }
    }

    private var backing: SettingsBacking { SettingsBacking(scope: "s", schema: Self.schema, store: store) }

    @Test(
        "the default over a value that does not fit is stored, and nothing is wrong any more",
        arguments: [false, true]
    )
    func misfit(applied: Bool) async throws {
        try await put(["mode": "disco"])
        let backing = backing
        #expect(backing.loadError(of: Self.mode) != nil)
        if applied {
            try await backing.apply(["mode": "off"])
        } else {
            backing[Self.mode] = .off
        }
        #expect(backing.loadError == nil)
        try await backing.commit()
        #expect(store.record("s")?.values == ["mode": "off"])
        #expect(backing.loadError == nil)
    }

    @Test(
        "a reset removes previous keys as well, be what they hold in force or not",
        arguments: [StoredValue.int(3), "unfit"],
        [false, true]
    )
    func reset(former: StoredValue, all: Bool) async throws {
        try await put(["level": 7, "old_level": former])
        let backing = backing
        if all { backing.resetAll() } else { backing.reset(Self.level) }
        try await backing.commit()
        #expect(store.record("s")?.values == [:])
        #expect(backing[Self.level] == 5)
        #expect(self.backing[Self.level] == 5)
    }

    @Test("keys that share a name are all reset, each in its own type")
    func sharedName() {
        let backing = SettingsBacking(schema: Self.schema)
        let text = SettingsKey("level", default: "none")
        backing[text] = "high"
        backing[Self.level] = 9
        #expect(backing[text] == "high")
        #expect(backing.values.count == 2)
        backing.resetAll()
        #expect(backing[Self.level] == 5)
        #expect(backing[text] == "none")
    }
}
