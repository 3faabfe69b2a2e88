import Foundation
import SettingsSamples
import Synchronization
import Testing

@testable import StoredSettings

@Suite("A class with @ObservableSettings")
struct SettingsModelTests {
    private let store = InMemorySettingsStore()
    private let thermostat: ThermostatSettings

    init() { thermostat = ThermostatSettings(store: store) }

    private var stored: [String: JSONValue] { store.record("SettingsTests.ThermostatSettings")?.values ?? [:] }

    private func put(_ changes: [String: JSONValue?]) async throws {
        try await store.put("SettingsTests.ThermostatSettings", changes)
    }

    @Test func `A model stores under the name of the class and the property, or the key that was given`() async throws {
        thermostat.room = "attic"
        thermostat.checkInterval = 60
        thermostat.accessCode = "12345678"
        try await thermostat.commit()
        #expect(stored["ThermostatSettings.room"] == "attic")
        #expect(stored["check_interval"] == 60)
        #expect(stored["ThermostatSettings.accessCode"] == .secret("12345678"))
        #expect(stored.count == 3)
    }

    @Test func `A setting gets its new value although another setting changes while that value is decoded`() {
        let core = thermostat.storage.core
        func record(_ values: [String: JSONValue], _ revision: Int) -> SettingsRecord {
            SettingsRecord(values: values, revision: revision, updatedAt: .now, updatedBy: "test")
        }
        core.makeCells()
        let plan = core.state.withLock { $0.see(record(["check_interval": 60], 1), changed: ["check_interval"]) }
        let newer = record(["check_interval": 60, "ThermostatSettings.room": "attic"], 2)
        core.receive(.stored(newer, changed: ["ThermostatSettings.room"]))
        core.carryOut(plan)
        #expect(thermostat.checkInterval == 60 && thermostat.room == "attic")
    }

    @Test func `A model finds a value under a previous key, and moves it in one transaction`() async throws {
        try await put(["Thermostat.interval": 77, "unknown": "kept"])
        let again = ThermostatSettings(store: store)
        #expect(again.checkInterval == 77)
        try await again.commit()
        #expect(stored == ["check_interval": 77, "unknown": "kept"])
        #expect(store.record("SettingsTests.ThermostatSettings")?.revision == 2)
    }

    @Test func `A model leaves a value under a previous key where it is when it does not fit`() async throws {
        try await put(["Thermostat.interval": "soon"])
        let again = ThermostatSettings(store: store)
        #expect(again.checkInterval == 120)
        #expect(again.error(of: \.checkInterval)?.code == .wrongType)
        try await again.commit()
        #expect(stored == ["Thermostat.interval": "soon"])
    }

    @Test func `A model tells observers whether a setting is set, also when its value stays`() {
        let isTold = observe { thermostat.isSet(\.label) }
        thermostat.label = "none"
        #expect(isTold.value && thermostat.isSet(\.label) && thermostat.isDefault(\.label))
        let isToldAgain = observe { thermostat.isSet(\.label) }
        thermostat.label = nil
        #expect(!isToldAgain.value && !thermostat.isDefault(\.label))
        thermostat.reset(\.label)
        #expect(isToldAgain.value && !thermostat.isSet(\.label))
    }

    @Test func `A model resets all its settings in one transaction, and leaves what is not its own`() async throws {
        try await put(["unknown": "kept", "check_interval": 60, "ThermostatSettings.room": "attic"])
        let again = ThermostatSettings(store: store)
        again.resetAll()
        try await again.commit()
        #expect(stored == ["unknown": "kept"])
        #expect(again.room == "hall" && again.checkInterval == 120)
        #expect(store.record("SettingsTests.ThermostatSettings")?.revision == 2)
    }

    @Test func `Set throws what is wrong with a value, and leaves no error behind`() throws {
        #expect(throws: SettingsError.self) { try thermostat.set(\.room, to: "") }
        #expect(thermostat.room == "hall")
        #expect(thermostat.error == nil)
        try thermostat.set(\.room, to: "cellar")
        #expect(thermostat.room == "cellar")
    }

    @Test func `What is ignored is neither stored nor observed`() async throws {
        let isTold = observe { thermostat.retries }
        thermostat.retries += 1
        thermostat.lastError = "lost"
        #expect(thermostat.retries == 1 && thermostat.lastError == "lost")
        try await thermostat.commit()
        #expect(!isTold.value && stored == [:])
    }

    @Test func `The schema has keys, types, constraints, secrets, policies and first paragraphs`() throws {
        let names = ThermostatSettings.schema.descriptors.map(\.name)
        #expect(names.count == 7)
        let room = try #require(ThermostatSettings.schema["ThermostatSettings.room"])
        #expect(room.documentation == "What the room is called.")
        #expect(room.constraints.length == 1...20)
        #expect(room.sync == nil)
        let interval = try #require(ThermostatSettings.schema["check_interval"])
        #expect(interval.constraints.range == 15...86_400)
        let code = try #require(ThermostatSettings.schema["ThermostatSettings.accessCode"])
        #expect(code.isSecret)
        #expect(code.sync == SyncPolicy(onInitialSync: .cachedValue, onAccountChange: .ignore))
    }

    @Test func `Without a store it keeps its values in memory`() async throws {
        let alone = ThermostatSettings(storage: SettingsStorage(schema: ThermostatSettings.schema))
        alone.room = "attic"
        #expect(alone.isSet(\.room))
        try await alone.commit()
        #expect(alone.room == "attic")
        #expect(ThermostatSettings(storage: SettingsStorage(schema: ThermostatSettings.schema)).room == "hall")
    }
}
