import Foundation
import SettingsSamples
import SettingsTesting
import SettingsUserDefaults
import StoredSettings
import Testing

@Suite("a store in UserDefaults")
struct UserDefaultsSettingsStoreTests {
    private let suite = TemporarySuite()

    private func fill() async throws {
        try await suite.open().put("a", ["x": 1, "null": .null, "code": .secret("canary-9")])
    }

    private func set(_ text: String?, in name: String) throws {
        let defaults = try #require(UserDefaults(suiteName: name))
        defaults.set(text, forKey: "StoredSettings.document")
        #expect(defaults.synchronize())
    }

    @Test func `A store in UserDefaults holds no secret in clear text, and none without a sealer`() async throws {
        try await fill()
        let text = try #require(UserDefaults(suiteName: suite.name)?.string(forKey: "StoredSettings.document"))
        #expect(!text.contains("canary"))
        let store = try suite.open(key: nil)
        #expect(await errorCode { try await store.put("b", ["code": .secret("s")]) } == .noKey)
        #expect(throws: SettingsError.self) { try suite.open(key: 2) }
    }

    @Test(arguments: [nil, "", "{\"for"])
    func `A store in UserDefaults uses the last good copy of a lost or damaged domain`(damage: String?) async throws {
        try await fill()
        try set(damage, in: suite.name)
        let store = try suite.open()
        #expect(try store.record("a")?.values["x"] == 1)
        try await store.put("a", ["x": 2])
        let again = try suite.open()
        #expect(try again.record("a")?.values == ["x": 2, "null": .null, "code": .secret("canary-9")])
    }

    @Test func `A store in UserDefaults refuses to begin anew where both are damaged`() async throws {
        try await fill()
        for name in [suite.name, suite.name + ".last"] { try set("{", in: name) }
        #expect(await errorCode { try suite.open() } == .corrupted)
    }

    @Test func `An observer of a store in UserDefaults may open it once more`() async throws {
        let (store, isOpen) = (try suite.open(), LockedValue(false))
        let observer = StoreObserver { [suite] _ in
            isOpen.value = (try? UserDefaultsSettingsStore(suite: suite.name)) != nil
        }
        store.add(observer)
        try await store.put("a", ["x": 1])
        withExtendedLifetime(observer) { #expect(isOpen.value) }
    }

    @Test func `A store in UserDefaults sees what another process stored, and tells of it`() async throws {
        try await fill()
        let store = try suite.open()
        var changes = store.changes().makeAsyncIterator()
        await #expect(processExitsWith: .success) { [name = suite.name as String] in
            let store = try UserDefaultsSettingsStore(suite: name)
            try await store.transact { _ = try $0.update("other", ["x": 5], by: "other", at: Date()) }
        }
        #expect(await changes.next()?.scopes == ["other"])
        #expect(try store.record("other")?.values == ["x": 5])
        #expect(try store.record("a")?.values["x"] == 1)
    }
}
