import Foundation
import SettingsSamples
import StoredSettings
import Synchronization
import TestSupport
import Testing

@ObservableSettings(prefix: "")
private final class ReaderSettings {
    @Synced(key: "last-page", onInitialSync: .cachedValue) var page = 1
    @Synced var font = 12
}

@ObservableSettings(prefix: "")
private final class TwinSettings {
    @Synced(key: "SettingsTests.TwinSettings/two") var one = 1
    @Synced var two = 2
}

/// Each encoding has the tags in another order.
private struct Filter: Codable, Equatable {
    var tags = Set((0..<20).map(String.init))
    var limit = 0
}

@ObservableSettings(prefix: "")
private final class SearchSettings {
    @Synced var filter = Filter()
    @Synced var earlier: [Filter] = []
}

/// What two models on two machines see of each other.
@Suite(.timeLimit(.minutes(5)))
struct SyncTests {
    let cloud = FakeCloud()

    @Test func `A model that is made with a remote store takes part from the first moment, read or not`() async throws {
        let store = InMemorySettingsStore()
        cloud.set(["boiler/target": 30])
        try await store.put("boiler", ["name": "old", "target": "warm"])
        let boiler = BoilerSettings(store: store, scope: "boiler", remote: cloud.client())
        try await eventually("both values are on both sides") {
            store.record("boiler")?.values == ["name": "old", "target": 30, "target.unread": "warm"]
                && cloud.values() == ["boiler/name": "old", "boiler/target": 30]
        }
        cloud.set(["boiler/target": 31])
        try await eventually("the change is stored") { store.record("boiler")?.values["target"] == 31 }
        #expect(boiler.syncError == nil && boiler.target == 31)
        cloud.set(["boiler/target": nil])
        try await eventually("the removal is stored") { store.record("boiler")?.values["target"] == nil }
        #expect(store.record("boiler")?.values["target.unread"] == "warm", "only a reset by the program removes it")
    }

    @Test func `A remote store may look at the model while it begins`() async throws {
        let boiler = BoilerSettings(store: InMemorySettingsStore(), scope: "boiler")
        let remote = cloud.client { [weak boiler] in
            _ = (boiler?.target, boiler?.syncError)
        }
        boiler.storage.synchronize(with: remote, options: .eager)
        boiler.target = 7
        try await boiler.waitUntilSynced()
        #expect(cloud["boiler/target"] == 7)
    }

    @Test func `A remote store may look at its settings when their last model is released`() async throws {
        let store = InMemorySettingsStore()
        let targets = Mutex<[Int]>([])
        do {
            let boiler = BoilerSettings(store: store, scope: "boiler")
            let remote = cloud.client {
                let other = BoilerSettings(store: store, scope: "boiler")
                targets.withLock { $0.append(other.syncError == nil ? other.target : -1) }
            }
            boiler.storage.synchronize(with: remote, options: .eager)
            boiler.target = 7
            try await boiler.waitUntilSynced()
        }
        try await eventually("it has looked at the beginning and at the end") { targets.withLock { $0 } == [20, 7] }
    }

    @Test func `A setting uses its declared remote key, after any prefix, and its own key locally`() async throws {
        let store = InMemorySettingsStore()
        let remote = cloud.client()
        let reader = ReaderSettings(store: store, scope: "reader", remote: remote)
        reader.synchronize(with: remote, keyPrefix: "a second one is not asked for/")
        reader.page = 7
        reader.font = 14
        try await reader.waitUntilSynced()
        #expect(cloud.values() == ["last-page": 7, "reader/font": 14])
        #expect(store.record("reader")?.values == ["page": 7, "font": 14])
        reader.synchronize(with: cloud.client(name: "second"), keyPrefix: "b/")
        try await reader.waitUntilSynced()
        #expect(cloud["b/last-page"] == 7 && cloud["b/font"] == 14)
        cloud.set(["last-page": 8])
        try await eventually("the other's page") { reader.page == 8 }
    }

    @Test func `Two settings with one remote key are refused, and nothing is sent`() async {
        let twins = TwinSettings(store: InMemorySettingsStore(), remote: cloud.client())
        #expect(twins.syncError(of: \.one)?.code == .notPermitted)
        await #expect(throws: SyncError.self) { try await twins.waitUntilSynced() }
    }

    @Test func `A value encoded in varying order is sent once and overwrites no change from others`() async throws {
        let (store, client) = (InMemorySettingsStore(), cloud.client())
        let search = SearchSettings(store: store, scope: "s", remote: client)
        (search.filter, search.earlier) = (Filter(limit: 1), [Filter(limit: 1)])
        try await search.waitUntilSynced()
        try await search.waitUntilSynced()
        // Two assignments may be two commits.
        let sent = client.writes.flatMap(\.keys)
        #expect(sent.sorted() == ["s/earlier", "s/filter"])
        client.goOffline()
        let other = SearchSettings(store: InMemorySettingsStore(), scope: "s", remote: cloud.client())
        try await other.waitUntilSynced()
        (other.filter.limit, other.earlier) = (2, [])
        try await other.waitUntilSynced()
        client.goOnline()
        try await search.waitUntilSynced()
        #expect(search.filter.limit == 2 && search.earlier.isEmpty)
        #expect(client.writes.flatMap(\.keys) == sent)
    }

    @Test func `Null, the default and nothing are three things, there as here`() async throws {
        let (a, b) = (BoilerSettings(cloud.client()), BoilerSettings(cloud.client()))
        a.name = nil
        try await a.waitUntilSynced()
        #expect(cloud["boiler/name"] == .null)
        try await eventually("null arrives") { b.isSet(\.name) && b.name == nil }
        a.name = "boiler"
        try await a.waitUntilSynced()
        #expect(cloud["boiler/name"] == "boiler")
        try await eventually("the default arrives as a value") { b.name == "boiler" && b.isSet(\.name) }
        a.reset(\.name)
        try await a.waitUntilSynced()
        #expect(cloud["boiler/name"] == nil)
        try await eventually("nothing arrives") { b.name == "boiler" && !b.isSet(\.name) }
    }

    @Test func `Only marked settings take part, and others are never asked for`() async throws {
        let remote = cloud.client()
        let model = BoilerSettings(remote)
        cloud.set(["boiler/local": 5, "boiler/key": "theirs", "other": 1])
        model.local = 7
        model.key = "ours"
        model.target = 21
        try await model.waitUntilSynced()
        #expect(model.local == 7 && model.key == "ours")
        #expect(cloud["boiler/local"] == 5)
        #expect(remote.reads.allSatisfy { !$0.contains("boiler/local") && !$0.contains("boiler/key") })
        #expect(remote.writes.allSatisfy { $0.keys.allSatisfy { $0 == "boiler/target" } })
    }

    @Test func `Received values are not sent back, and sent values do not return as changes`() async throws {
        let (here, there) = (cloud.client(), cloud.client())
        let (a, b) = (BoilerSettings(here), BoilerSettings(there))
        try await b.waitUntilSynced()
        for target in 21...40 {
            a.target = target
            try await a.waitUntilSynced()
        }
        cloud.set(["boiler/name": "theirs"])
        try await eventually("all is there") { b.target == 40 && a.name == "theirs" && b.name == "theirs" }
        // A remote store may tell of our own writes.
        here.tellAll(["boiler/target", "boiler/name"])
        try await a.waitUntilSynced()
        try await b.waitUntilSynced()
        #expect(there.writes.isEmpty)
        #expect(here.writes.map { $0["boiler/target"] } == (21...40).map { .some(.some(.int($0))) })
        #expect(a.target == 40)
    }

    @Test func `Parallel models of one or several classes all follow, even after one is released`() async throws {
        let store = InMemorySettingsStore()
        let remote = cloud.client()
        let first = BoilerSettings(remote, over: store)
        var second: BoilerSettings? = BoilerSettings(remote, over: store)
        let plain = BoilerSettings(store: store, scope: "boiler")
        let other = PumpSettings(store: store, scope: "boiler")
        other.synchronize(with: remote)
        cloud.set(["boiler/target": 22, "boiler/speed": 3])
        try await eventually("all follow") {
            first.target == 22 && second?.target == 22 && plain.target == 22 && other.speed == 3
        }
        second = nil
        cloud.set(["boiler/target": 23, "boiler/speed": 4])
        try await eventually("the rest follows") { first.target == 23 && plain.target == 23 && other.speed == 4 }
        plain.target = 24
        try await plain.commit()
        try await first.waitUntilSynced()
        #expect(cloud["boiler/target"] == 24)
    }

    @Test func `One model with two remote stores brings them together`() async throws {
        let other = FakeCloud()
        let model = BoilerSettings(cloud.client(name: "one"))
        model.storage.synchronize(with: other.client(name: "two"), options: .eager)
        cloud.set(["boiler/target": 41])
        try await eventually("it went on") { other["boiler/target"] == 41 }
        other.set(["boiler/target": nil])
        try await eventually("and back") { cloud["boiler/target"] == nil && model.target == 20 }
    }

    @Test func `A secret that is marked is sent sealed, comes back from a text, and is printed nowhere`() async throws {
        let remote = cloud.client()
        let store = InMemorySettingsStore()
        let model = BoilerSettings(remote, over: store)
        model.pin = "1234-s3cret"
        try await model.waitUntilSynced()
        #expect(cloud["boiler/pin"] == .secret(Secret("1234-s3cret")))
        let said = try "\(remote.writes) \(store.records(prefix: "")) \(cloud.values())"
        #expect(!said.contains("s3cret"))
        cloud.set(["boiler/pin": "new"])
        try await eventually("a text is taken as the secret") { model.pin == "new" }
        for record in try store.records(prefix: "").values {
            for case .string(let text) in record.values.values { #expect(text != "new") }
        }
    }

    @Test func `Without a store there is nothing that could remember what was sent, which is said`() async {
        let model = BoilerSettings(storage: SettingsStorage(schema: BoilerSettings.schema))
        model.synchronize(with: cloud.client())
        await #expect(throws: SyncError.self) { try await model.waitUntilSynced() }
        #expect(model.syncError(of: \.target)?.code == .noStore)
    }

    @Test func `Marks of other scopes are told apart, also if scope and remote store together have one name`()
        async throws
    {
        let (home, kitchen) = (FakeCloud(), FakeCloud())
        let store = InMemorySettingsStore()
        let one = BoilerSettings(store: store, scope: "kitchen/boiler", remote: home.client(name: "home"))
        one.target = 25
        try await one.waitUntilSynced()
        kitchen.set(["boiler/target": 30])
        let other = BoilerSettings(store: store, scope: "boiler", remote: kitchen.client(name: "home/kitchen"))
        try await other.waitUntilSynced()
        #expect(other.target == 30 && kitchen["boiler/target"] == 30)
    }
}

@ObservableSettings(prefix: "")
final class PumpSettings {
    @Synced var speed = 0
}
