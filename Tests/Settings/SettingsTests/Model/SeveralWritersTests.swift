import Foundation
import Observation
import SettingsSamples
import StoredSettings
import Synchronization
import TestSupport
import Testing

@ObservableSettings(prefix: "")
private final class Lamp {
    var x = 0
    var y = 0
    var ratio = 1.0
    @Setting(in: 0...10) var level = 5

    init(_ store: any SettingsStore) {
        storage = SettingsStorage(scope: "Lamp", schema: Self.schema, store: store)
    }
}

private struct Tool: Codable, Equatable {
    static let encodings = Atomic(0)
    var number: Int

    init(number: Int) { self.number = number }

    func encode(to encoder: any Encoder) throws {
        Self.encodings.add(1, ordering: .relaxed)
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
}

@ObservableSettings
private final class Shed {
    var tools: [Tool] = []
}

@Suite("A model beside other writers of its scope, and over a store that fails", .timeLimit(.minutes(5)))
struct SeveralWritersTests {
    private let base = InMemorySettingsStore()

    @Test func `Assigning the value seen last stores it, because the store may hold another by now`() async throws {
        let (one, other) = (Lamp(GatedStore(base, isDeaf: true)), Lamp(GatedStore(base, isDeaf: true)))
        one.x = 1
        try await one.commit()
        other.x = 2
        try await other.commit()
        one.x = 1
        try await one.commit()
        #expect(base.record("Lamp")?.values["x"] == 1)
    }

    @Test func `Values of a scope that others removed meanwhile are not in force any more`() async throws {
        let lamp = Lamp(GatedStore(base, isDeaf: true))
        (lamp.x, lamp.y) = (1, 2)
        try await lamp.commit()
        try await base.transact { try $0.remove("Lamp") }
        lamp.x = 9
        try await lamp.commit()
        #expect(lamp.y == 0 && !lamp.isSet(\.y))
        lamp.y = 2
        try await lamp.commit()
        #expect(base.record("Lamp")?.values["y"] == 2)
    }

    @Test func `What is applied replaces what was assigned before and could not be stored`() async throws {
        let store = GatedStore(base, isDeaf: true)
        let lamp = Lamp(store)
        store.failNext(2)
        lamp.x = 10
        try? await lamp.commit()
        store.failNext(1)
        try await lamp.storage.apply(["x": 20])
        try await lamp.commit()
        #expect(lamp.x == 20)
        #expect(base.record("Lamp")?.values["x"] == 20)
    }

    @Test(arguments: [5, 20])
    func `A commit ends when an apply replaces all that it waits for`(stored: Int) async throws {
        let gate = GatedStore(base)
        let lamp = Lamp(gate)
        lamp.x = stored
        try await lamp.commit()
        gate.close()
        let applied = Task { try await lamp.storage.apply(["x": 20]) }
        try await eventually("the apply waits") { gate.waiting == 1 }
        lamp.y = 1
        try await eventually("the first batch waits") { gate.waiting == 2 }
        lamp.x = 10
        let committed = Task { try await lamp.commit() }
        // The commit has to wait before the apply ends; nothing tells that it does.
        try await Task.sleep(for: .milliseconds(100))
        gate.letOnePass()
        try await applied.value
        gate.open()
        try await committed.value
        #expect(lamp.x == 20)
        #expect(base.record("Lamp")?.values == ["x": 20, "y": 1])
    }

    @Test func `What an observer of an applied value assigns is stored`() async throws {
        let gate = GatedStore(base)
        let lamp = Lamp(gate)
        withObservationTracking {
            _ = lamp.x
        } onChange: {
            if lamp.x > 10 { lamp.x = 10 }
        }
        gate.close()
        let applied = Task { try await lamp.storage.apply(["x": 20]) }
        try await eventually("the apply waits") { gate.waiting == 1 }
        lamp.y = 1
        try await eventually("the first batch waits") { gate.waiting == 2 }
        gate.letOnePass()
        try await applied.value
        gate.open()
        try await lamp.commit()
        #expect(lamp.x == 10)
        #expect(base.record("Lamp")?.values == ["x": 10, "y": 1])
    }

    @Test func `An apply does not swallow the error of a value that was refused before`() async throws {
        let lamp = Lamp(base)
        lamp.level = 77
        try await lamp.storage.apply(["x": 1])
        await #expect(throws: SettingsError.self) { try await lamp.commit() }
    }

    @Test func `4,000 assignments that wait for the store are encoded once`() async throws {
        let gate = GatedStore(base)
        let shed = Shed(store: gate)
        try await shed.commit()
        gate.close()
        for number in 0..<4_000 { shed.tools.append(Tool(number: number)) }
        gate.open()
        try await shed.commit()
        #expect(shed.tools.count == 4_000)
        // The first batch may have been taken at any moment; nothing else was encoded before the gate was open.
        #expect(Tool.encodings.load(ordering: .relaxed) <= 8_000)
    }

    @Test func `A scope reported unreadable is an error of its settings and commits until read again`() async throws {
        let gate = GatedStore(base)
        let lamp = Lamp(gate)
        lamp.x = 1
        try await lamp.commit()
        gate.failReads(with: SettingsError(.inputOutput, "the disk fails"))
        gate.tell(StoreChanges(["Lamp": .unreadable(SettingsError(.inputOutput, "the disk fails"))]))
        #expect(lamp.x == 1 && lamp.error(of: \.x)?.code == .inputOutput)
        await #expect(throws: SettingsError.self) { try await lamp.commit() }
        // An observer may make a model of its own meanwhile.
        withObservationTracking {
            _ = lamp.error
        } onChange: {
            _ = Lamp(gate)
        }
        gate.failReads(with: nil)
        try await eventually("it is read") { lamp.error == nil }
        #expect(lamp.x == 1)
    }

    @Test func `A model of a followed scope that became unreadable has the error, as any other`() async throws {
        let gate = GatedStore(base)
        let followed = try gate.follow("")
        let error = SettingsError(.noKey, "there is no key")
        gate.failReads(with: error)
        gate.tell(StoreChanges(["Lamp": .unreadable(error), "Shed": .unreadable(error)]))
        #expect(followed.take() == ["Lamp": .unreadable(error), "Shed": .unreadable(error)])
        gate.tell(StoreChanges(["Shed": .removed]))
        #expect(followed.take() == ["Shed": .removed])
        let lamp = Lamp(gate)
        #expect(lamp.error(of: \.x)?.code == .noKey)
        await #expect(throws: SettingsError.self) { try await lamp.commit() }
        gate.failReads(with: nil)
        try await base.put("Lamp", ["x": 7])
        #expect(lamp.x == 7 && lamp.error == nil)
        let record = try #require(base.record("Lamp"))
        #expect(record.values == ["x": 7] && followed.take() == ["Lamp": .stored(record)])
    }

    @Test func `Followed scopes are told in every spelling that Unicode has for their names`() async throws {
        let followed = try base.follow("e\u{301}/", "a")
        try await base.transact { transaction in
            for scope in ["\u{E9}/1", "a\u{300}/1"] { try transaction.update(scope, ["x": 7], by: "test", at: .now) }
        }
        // The second begins with another letter than the one that is followed.
        #expect(await followed.next()?.keys.sorted() == ["\u{E9}/1"])
    }

    @Test func `A first read that fails is tried again`() async throws {
        try await base.put("Lamp", ["x": 7])
        let store = GatedStore(base, isDeaf: true)
        store.failNext(1)
        let lamp = Lamp(store)
        #expect(lamp.error != nil)
        try await eventually("the value is read") { lamp.x == 7 && lamp.error == nil }
    }
}
