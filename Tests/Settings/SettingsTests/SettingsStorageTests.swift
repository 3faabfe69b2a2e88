import Foundation
import Observation
import SettingsSamples
import StoredSettings
import Synchronization
import TestSupport
import Testing

@Suite("SettingsStorage")
struct SettingsStorageTests {
    private let store = InMemorySettingsStore()

    @Test func `A key outside the schema has what is stored from its first use on, whoever is first`() async throws {
        try await store.put("s", ["count": 100])
        for _ in 0..<2_000 {
            let storage = SettingsStorage(scope: "s", schema: SettingsSchema(), store: store)
            let key = SettingsKey("count", default: 0)
            await withTaskGroup { group in
                for _ in 0..<2 { group.addTask { storage.update(key) { $0 += 1 } } }
            }
            #expect(storage[key] > 100)
            storage.reset(key)
            try await storage.commit()
            try await store.put("s", ["count": 100])
        }
    }

    @Test func `An equal assignment is not told, and stored once: it was set`() async throws {
        let lamp = LampSettings(store: store)
        let isTold = observe { lamp.brightness }
        lamp.brightness = 50
        try await lamp.storage.commit()
        lamp.brightness = 50
        try await lamp.storage.commit()
        #expect(!isTold.value)
        #expect(store.record("lamp/a")?.values == ["brightness": 50])
        #expect(store.record("lamp/a")?.revision == 1)
    }

    @Test func `Observers are told after the value is in place, and only of what they read`() {
        let lamp = LampSettings(store: store)
        let seen = Mutex<[Bool]>([])
        withObservationTracking {
            _ = lamp.isBright
        } onChange: {
            seen.withLock { $0.append(lamp.isBright) }
        }
        lamp.name = "x"
        lamp.brightness = 100
        // The mode was off, so nothing depended on the brightness.
        #expect(seen.withLock(\.self) == [])
        lamp.mode = .steady
        #expect(seen.withLock(\.self) == [true])
        lamp.mode = .off
        #expect(seen.withLock(\.self) == [true])
    }

    @Test func `What others store arrives, and only that`() async throws {
        let lamp = LampSettings(store: store)
        try await store.put("lamp/a", ["brightness": 80])
        try await store.put("lamp/b", ["brightness": 1])
        try await eventually("the other's brightness") { lamp.brightness == 80 }
        #expect(lamp.name == "lamp")
        try await store.transact { try $0.remove("lamp/a") }
        try await eventually("the default again") { lamp.brightness == 50 && lamp.storage.record == nil }
    }

    @Test func `An assignment on its way to the store is not undone by what others store`() async throws {
        let gate = GatedStore(store)
        let lamp = LampSettings(store: gate)
        gate.close()
        lamp.brightness = 10
        // The other comes first in the store; ours is on its way.
        try await store.put("lamp/a", ["brightness": 20, "name": "desk"])
        try await eventually("the other's name") { lamp.name == "desk" }
        #expect(lamp.brightness == 10)
        gate.open()
        try await lamp.storage.commit()
        #expect(store.record("lamp/a")?.values["brightness"] == 10)
        #expect(lamp.brightness == 10)
        #expect(lamp.storage.record?.revision == 2)
        // And one that comes later wins.
        try await store.put("lamp/a", ["brightness": 30])
        try await eventually("the later value") { lamp.brightness == 30 }
    }

    @Test func `A failed commit reports it and keeps the values, and passes once the store works again`() async throws {
        let gate = GatedStore(store)
        let lamp = LampSettings(store: gate)
        let isTold = observe { lamp.storage.error }
        gate.fail(with: SettingsError(.full, "no space is left"))
        lamp.brightness = 10
        #expect(await errorCode { try await lamp.storage.commit() } == .full)
        #expect(lamp.storage.error?.code == .full)
        #expect(isTold.value && lamp.brightness == 10)
        lamp.name = "desk"
        gate.fail(with: nil)
        try await lamp.storage.commit()
        #expect(lamp.storage.error == nil)
        #expect(store.record("lamp/a")?.values == ["brightness": 10, "name": "desk"])
    }

    @Test func `A cancelled commit ends at once and takes nothing back`() async throws {
        let gate = GatedStore(store)
        let lamp = LampSettings(store: gate)
        gate.close()
        lamp.brightness = 10
        let commit = Task { try await lamp.storage.commit() }
        commit.cancel()
        await #expect(throws: CancellationError.self) { try await commit.value }
        gate.open()
        try await lamp.storage.commit()
        #expect(store.record("lamp/a")?.values["brightness"] == 10)
    }

    @Test func `What a store could not write is written once it can, although the model is gone`() async throws {
        let gate = GatedStore(store)
        gate.failNext(2)
        do {
            // The first call that fails reads the store.
            let lamp = LampSettings(store: gate)
            lamp.brightness = 10
        }
        try await eventually("the assignment") { store.record("lamp/a")?.values["brightness"] == 10 }
    }

    @Test(arguments: [SettingsError.Code.closed, .notOwned])
    func `A store that will not take a value is released with its model`(code: SettingsError.Code) async throws {
        weak var released: GatedStore?
        do {
            let gate = GatedStore(store)
            released = gate
            gate.fail(with: SettingsError(code, "for good"))
            let lamp = LampSettings(store: gate)
            lamp.brightness = 10
            await #expect(throws: SettingsError.self) { try await lamp.storage.commit() }
        }
        try await eventually("the release") { released == nil }
    }
}
