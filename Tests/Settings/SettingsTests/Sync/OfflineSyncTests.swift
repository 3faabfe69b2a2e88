import Foundation
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

/// What happens while the remote store cannot be reached, and after.
@Suite struct OfflineSyncTests {
    let cloud = FakeCloud()
    let store = InMemorySettingsStore()

    @Test(arguments: [true, false])
    func `It is remembered when the program ends before it could be sent`(metBefore: Bool) async throws {
        let remote = cloud.client()
        if metBefore {
            let model = BoilerSettings(remote, over: store)
            model.name = "known"
            try await model.waitUntilSynced()
        }
        remote.goOffline()
        do {
            let model = BoilerSettings(remote, over: store)
            model.target = 27
            model.reset(\.name)
            try await model.commit()
        }
        cloud.set(["boiler/target": 1])
        remote.goOnline()
        let model = BoilerSettings(remote, over: store)
        try await model.waitUntilSynced()
        #expect(model.target == 27)
        #expect(cloud.values() == ["boiler/target": 27])
    }

    @Test func `A remote store that lost all values gets the local values, as each policy decides`() async throws {
        let remote = cloud.client()
        let model = BoilerSettings(remote, over: store)
        (model.target, model.mine, model.own, model.fuse) = (22, 1, 2, 3)
        try await model.waitUntilSynced()
        remote.goOffline()
        model.name = "newer"
        cloud.set(cloud.values().mapValues { _ in nil })
        remote.goOnline()
        try await model.waitUntilSynced()
        #expect(model.target == 22 && model.name == "newer" && model.mine == 1 && model.own == 2)
        #expect(!model.isSet(\.fuse))
        #expect(cloud.values() == ["boiler/target": 22, "boiler/name": "newer", "boiler/mine": 1])
        cloud.set(["boiler/target": nil])
        try await eventually("the removal that is no loss") { !model.isSet(\.target) }
    }

    @Test func `The only remote value that was removed meanwhile is no loss: it is removed here`() async throws {
        let remote = cloud.client()
        let model = BoilerSettings(remote, over: store)
        model.target = 22
        try await model.waitUntilSynced()
        remote.goOffline()
        cloud.set(["boiler/target": nil])
        remote.goOnline()
        try await model.waitUntilSynced()
        #expect(!model.isSet(\.target) && cloud.values().isEmpty)
    }

    @Test func `A call that is not answered in time is an error, and is made again`() async throws {
        let remote = cloud.client()
        remote.hang()
        var options = SyncOptions.eager
        options.timeout = .milliseconds(20)
        let model = BoilerSettings(remote, over: store, options: options)
        model.target = 23
        await #expect { try await model.waitUntilSynced() } throws: { ($0 as? SyncError)?.code == .timedOut }
        #expect((model.syncError as? SyncError)?.code == .timedOut)
        remote.resume()
        try await eventually("it is sent at last") { cloud["boiler/target"] == 23 && model.syncError == nil }
    }

    @Test func `A write that was given up and lands after a later one does not bring back an old value`() async throws {
        let (remote, model) = try await cloud.synced(over: store)
        remote.hang()
        model.target = 21
        try await eventually("the write hangs") { remote.hangingCalls == 1 }
        remote.goOffline()
        model.target = 22
        try await model.commit()
        remote.goOnline()
        try await eventually("the next call hangs, too") { remote.hangingCalls == 2 }
        remote.resume()
        try await eventually("the newest is there") { cloud["boiler/target"] == 22 }
        try await model.waitUntilSynced()
        #expect(model.target == 22)
        #expect(cloud["boiler/target"] == 22)
    }

    @Test func `A remote store that hangs blocks only waiting, which ends on cancellation or a lost connection`()
        async throws
    {
        let remote = cloud.client()
        remote.hang()
        let model = BoilerSettings(remote, over: store)
        model.target = 23
        try await model.commit()
        #expect(model.target == 23)
        #expect(store.record("boiler")?.values == ["target": 23])
        let cancelled = Task { try await model.waitUntilSynced() }
        let cut = Task { try await model.waitUntilSynced() }
        try await eventually("it asks") { remote.hangingCalls == 1 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        remote.goOffline()
        await #expect { try await cut.value } throws: { ($0 as? SyncError)?.code == .offline }
        try await eventually("it is noticed") { model.syncError != nil }
        await #expect { try await model.waitUntilSynced() } throws: { ($0 as? SyncError)?.code == .offline }
        remote.resume()
        remote.goOnline()
        try await model.waitUntilSynced()
        #expect(model.syncError == nil)
    }

    @Test func `A fault of the local store is told, and passes`() async throws {
        let gated = GatedStore(store)
        let (_, model) = try await cloud.synced(over: gated)
        gated.fail(with: SettingsError(.full, "no space is left"))
        cloud.set(["boiler/target": 31])
        try await eventually("it is told") { (model.syncError as? SettingsError)?.code == .full }
        gated.fail(with: nil)
        try await eventually("it passes") { model.target == 31 && model.syncError == nil }
    }
}
