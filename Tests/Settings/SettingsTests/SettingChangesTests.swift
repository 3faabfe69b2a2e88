import Foundation
import SettingsSamples
import StoredSettings
import Synchronization
import TestSupport
import Testing

private struct Gain: RawRepresentable, Sendable { var rawValue: Double }

@Suite("SettingChanges")
struct SettingChangesTests {
    private let store = InMemorySettingsStore()

    @Test func `A stream of changes gives the current value, then different values of its own key only`() async {
        let lamp = LampSettings(store: store)
        lamp.brightness = 1
        var changes = lamp.storage.changes(of: LampSettings.keys.brightness).makeAsyncIterator()
        #expect(await changes.next() == 1)
        lamp.name = "other"
        lamp.brightness = 2
        #expect(await changes.next() == 2)
        // Away and back between two looks is no change.
        lamp.brightness = 3
        lamp.brightness = 2
        lamp.name = "another"
        let next = Task { [changes] in
            var changes = changes
            return await changes.next()
        }
        lamp.brightness = 4
        #expect(await next.value == 4)
    }

    @Test func `A stream of several settings gives all values of one moment when one of them differs`() async throws {
        let room = ThermostatSettings(store: store)
        var changes = room.changes(of: \.room, \.target, \.tags).makeAsyncIterator()
        #expect(await changes.next().map { $0 == ("hall", 20.5, []) } == true)
        room.nickname = "not among them"
        room.target = 21
        #expect(await changes.next().map { $0 == ("hall", 21, []) } == true)
        // Away and back is no change.
        room.target = 22
        room.target = 21
        let seen = Mutex<[[String]]>([])
        let reader = Task {
            for await (_, _, tags) in room.changes(of: \.room, \.target, \.tags) { seen.withLock { $0.append(tags) } }
        }
        defer { reader.cancel() }
        try await eventually("the current values") { seen.withLock { $0.count } == 1 }
        // A reader that waits hears of each of them.
        room.tags = ["warm"]
        try await eventually("the newer ones") { seen.withLock(\.self) == [[], ["warm"]] }
        #expect(await changes.next().map { $0 == ("hall", 21, ["warm"]) } == true)
    }

    @Test func `Not-a-number is one value, however often it is assigned, alone and in other types`() async throws {
        let keys = (
            SettingsKey("a", default: 0.0), SettingsKey("b", default: Float(0)), SettingsKey("c", default: [0.0]),
            SettingsKey("d", default: Double?.none), SettingsKey("e", default: Gain(rawValue: 0)),
            SettingsKey("f", default: CGFloat(0))
        )
        let storage = SettingsStorage(schema: SettingsSchema(keys.0, keys.1, keys.2, keys.3, keys.4, keys.5))
        var changes = storage.changes(of: keys.0, keys.1, keys.2, keys.3, keys.4, keys.5).makeAsyncIterator()
        _ = await changes.next()
        func assignNaN() {
            storage[keys.0] = .nan
            storage[keys.1] = .nan
            storage[keys.2] = [.nan]
            storage[keys.3] = .nan
            storage[keys.4] = Gain(rawValue: .nan)
            storage[keys.5] = .nan
        }
        assignNaN()
        #expect(await changes.next()?.0.isNaN == true)
        let isTold = observe {
            (storage[keys.0], storage[keys.1], storage[keys.2], storage[keys.3], storage[keys.4], storage[keys.5])
        }
        for _ in 0..<50 { assignNaN() }
        #expect(!isTold.value)
        storage[keys.0] = 1
        #expect(await changes.next()?.0 == 1)
    }

    @Test func `A stream of changes ends with the model, after the last value`() async throws {
        var lamp: LampSettings? = LampSettings(store: store)
        let changes = lamp?.storage.changes(of: LampSettings.keys.brightness)
        lamp?.brightness = 7
        try await lamp?.storage.commit()
        let whole = lamp?.commits()
        lamp = nil
        var values: [Int] = []
        if let changes { for await value in changes { values.append(value) } }
        #expect(values == [7])
        var count = 0
        if let whole { for await _ in whole { count += 1 } }
        #expect(count == 1)
    }

    @Test(arguments: [true, false])
    func `A waiting reader ends when the model is released or the task cancelled`(byRelease: Bool) async throws {
        var lamp: LampSettings? = LampSettings(store: store)
        let changes = try #require(lamp?.storage.changes(of: LampSettings.keys.brightness))
        let seen = Atomic(0)
        let reader = Task {
            for await _ in changes { seen.add(1, ordering: .relaxed) }
        }
        try await eventually("the first value") { seen.load(ordering: .relaxed) == 1 }
        if byRelease { lamp = nil } else { reader.cancel() }
        await reader.value
        #expect(seen.load(ordering: .relaxed) == 1)
        withExtendedLifetime(lamp) {}
    }

    @Test func `Commits come once for each transaction, whoever made it, with what changed`() async throws {
        let lamp = LampSettings(store: store)
        var commits = lamp.commits().makeAsyncIterator()
        let first = try #require(await commits.next())
        #expect(first.values == [:] && first.changed == [] && first.revision == 0)
        try await lamp.storage.apply(["brightness": 1, "name": "desk"])
        let second = try #require(await commits.next())
        #expect(second.values == ["brightness": 1, "name": "desk"])
        #expect(second.changed == ["brightness", "name"] && second.revision == 1 && second.author == "local")
        // A change of the scope that is none of the model's settings is no commit of the model.
        try await store.transact { try $0.update("lamp/a", ["foreign": 1], by: "other", at: .now) }
        try await store.transact { try $0.update("lamp/a", ["name": nil, "hours": 7], by: "other", at: .now) }
        let third = try #require(await commits.next())
        #expect(third.values == ["brightness": 1, "hours": 7])
        #expect(third.changed == ["name", "hours"] && third.revision == 3 && third.author == "other")
    }

    @Test func `During 100,000 writes by threads, a reader sees ordered values, no repeat and the last`() async throws {
        let lamp = LampSettings(store: store)
        let last = 100_000
        let readers = (0..<4).map { _ in
            Task.detached {
                var previous = -1
                var isOrdered = true
                for await value in lamp.storage.changes(of: LampSettings.keys.hours) {
                    if value <= previous, value != 50 { isOrdered = false }
                    previous = value
                    if value == last { break }
                }
                return isOrdered
            }
        }
        let names = Task.detached {
            for index in 0..<10_000 { lamp.name = "n\(index)" }
        }
        let writer = Thread {
            for value in 51...last { lamp.hours = value }
        }
        writer.start()
        for reader in readers { #expect(await reader.value) }
        await names.value
        try await lamp.storage.commit()
        #expect(store.record("lamp/a")?.values == ["hours": .int(last), "name": "n9999"])
    }
}
