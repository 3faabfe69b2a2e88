import SettingsSamples
import StoredSettings
import TestSupport
import Testing

@Suite("A value that the store refuses")
struct RefusedValueTests {
    private let base = InMemorySettingsStore()
    private let store: GatedStore
    private let lamp: LampSettings

    init() {
        store = GatedStore(base)
        lamp = LampSettings(store: store)
        store.refuse(["code"])
    }

    private var stored: [String: JSONValue] { base.record("lamp/a")?.values ?? [:] }

    @Test func `A refused value keeps no other from being stored, and commit throws the refusal`() async throws {
        lamp.name = "desk"
        lamp.code = Secret("1234")
        lamp.brightness = 7
        lamp.hours = 3
        #expect(await errorCode { try await lamp.storage.commit() } == .noKey)
        #expect(stored == ["name": "desk", "brightness": 7, "hours": 3])
        #expect(lamp.code == Secret("1234"))
        #expect(lamp.storage.error(of: LampSettings.keys.code)?.code == .noKey)
        #expect(lamp.storage.error(of: LampSettings.keys.name) == nil)
        lamp.hours = 4
        await #expect(throws: SettingsError.self) { try await lamp.storage.commit() }
        #expect(stored["hours"] == 4)
    }

    @Test func `A refused value is tried again with the next commit, and when it is assigned again`() async throws {
        lamp.code = Secret("1234")
        await #expect(throws: SettingsError.self) { try await lamp.storage.commit() }
        store.refuse([])
        try await lamp.storage.commit()
        #expect(stored == ["code": .secret("1234")])
        #expect(lamp.storage.error == nil)
        store.refuse(["code"])
        lamp.code = Secret("5678")
        await #expect(throws: SettingsError.self) { try await lamp.storage.commit() }
        store.refuse([])
        lamp.code = Secret("9999")
        #expect(lamp.storage.error == nil)
        try await eventually("the other code") { stored["code"] == .secret("9999") }
    }

    @Test func `A refused value keeps all that is applied with it from being stored and assigned`() async throws {
        await #expect(throws: SettingsError.self) {
            try await lamp.storage.apply(["code": .secret("1234"), "name": "desk"])
        }
        lamp.brightness = 7
        try await lamp.storage.commit()
        #expect(stored == ["brightness": 7])
        #expect(lamp.name == "lamp")
        store.refuse([])
        try await lamp.storage.apply(["code": .secret("1234"), "name": "desk"])
        #expect(lamp.name == "desk")
        #expect(stored == ["brightness": 7, "name": "desk", "code": .secret("1234")])
    }

    @Test func `Infinity stays in force while others are stored, until the store has another value`() async throws {
        let lamp = LampSettings(store: base)
        let endless = SettingsKey("endless", default: 1.0)
        lamp.storage[endless] = 2
        try await lamp.storage.commit()
        lamp.storage[endless] = .infinity
        lamp.hours = 3
        await #expect(throws: SettingsError.self) { try await lamp.storage.commit() }
        lamp.hours = 4
        await #expect(throws: SettingsError.self) { try await lamp.storage.commit() }
        #expect(lamp.storage[endless] == .infinity)
        #expect(lamp.storage.error(of: endless)?.code == .unsupportedValue)
        #expect(stored == ["endless": 2.0, "hours": 4])
        try await base.put("lamp/a", ["endless": 3.0])
        try await eventually("the other's value") { lamp.storage[endless] == 3 }
        #expect(lamp.storage.error == nil)
    }

    @Test func `Reading the error of a value that no store holds tells nobody again`() async throws {
        store.close()
        lamp.hours = 3
        try await eventually("the write that waits") { store.waiting == 1 }
        let endless = SettingsKey("endless", default: 1.0)
        lamp.storage[endless] = .infinity
        #expect(lamp.storage.error(of: endless)?.code == .unsupportedValue)
        let isTold = observe { lamp.storage.error(of: endless) }
        #expect(lamp.storage.error(of: endless) != nil)
        #expect(!isTold.value)
        store.open()
    }
}
