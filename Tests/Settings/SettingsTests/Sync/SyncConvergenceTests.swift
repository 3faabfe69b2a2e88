import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@testable import StoredSettings

/// Whatever happens in whatever order: when all is quiet, everybody has the same.
@Suite struct SyncConvergenceTests {
    @Test func `A damaged value is not sent as a removal, and the remote one takes its place`() async throws {
        let cloud = FakeCloud()
        let store = InMemorySettingsStore()
        let remote = cloud.client()
        var boiler: BoilerSettings? = BoilerSettings(remote, over: store)
        boiler?.target = 70
        try await boiler?.waitUntilSynced()
        remote.goOffline()
        boiler = nil
        try await store.damage("boiler", "target")
        let again = BoilerSettings(remote, over: store)
        again.name = "kitchen"
        try await again.commit()
        #expect(store.record("boiler")?.damaged.keys.sorted() == ["target"])
        remote.goOnline()
        try await again.waitUntilSynced()
        #expect(again.target == 70)
        #expect(store.record("boiler")?.damaged == [:])
        #expect(cloud["boiler/target"] == 70)
    }

    @Test(arguments: 1...12)
    func `Models agree after any mix of assignments, lost connections, refusals and restarts`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let cloud = FakeCloud()
        let stores = (0..<4).map { _ in InMemorySettingsStore() }
        let remotes = stores.map { _ in cloud.client() }
        var models = zip(remotes, stores).map { BoilerSettings($0, over: $1) }
        let full = SyncError(.quotaExceeded, "is not there, for lack of room")
        for step in 0..<120 {
            let i = Int.random(in: models.indices, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: remotes[i].goOffline()
            case 1: remotes[i].goOnline()
            case 2: remotes[i].holdNews()
            case 3: remotes[i].deliver()
            case 4: remotes[i].refuse(["boiler/target"], with: Bool.random(using: &random) ? full : nil)
            case 5: models[i].reset(\.target)
            case 6: models[i].name = nil
            case 7: cloud.set(["boiler/target": .int(step), "boiler/name": nil])
            case 8:
                try await models[i].commit()
                models[i] = BoilerSettings(remotes[i], over: stores[i])
            case 9: try? await models[i].waitUntilSynced()
            default:
                models[i].target = step
                models[i].name = "\(i)"
            }
            if Bool.random(using: &random) { await Task.yield() }
        }
        for remote in remotes {
            remote.refuse(["boiler/target"], with: nil)
            remote.goOnline()
            remote.deliver()
        }
        try await eventually("all agree") {
            for model in models { try await model.waitUntilSynced() }
            let values = stores.map { $0.record("boiler")?.values ?? [:] }
            let areStored = values.allSatisfy { values in
                cloud.values() == Dictionary(uniqueKeysWithValues: values.map { ("boiler/" + $0, $1) })
            }
            // A model is told of a commit a moment after its store shows it.
            return areStored && Set(models.map(\.target)).count == 1 && Set(models.map(\.name)).count == 1
        }
    }
}
