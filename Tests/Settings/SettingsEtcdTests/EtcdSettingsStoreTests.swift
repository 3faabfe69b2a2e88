import Foundation
import SettingsEtcd
import SettingsSamples
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@Suite(
    "Settings on etcd",
    .enabled(if: EtcdCluster.isInstalled, Comment(rawValue: EtcdCluster.advice)),
    .serialized
)
struct EtcdSettingsStoreTests {
    private let prefix = "own-\(UUID().uuidString)/"

    @Test(arguments: StoreRequirement.all)
    func `EtcdSettingsStore is a store of settings`(requirement: StoreRequirement) async throws {
        try await requirement.check(.etcd, within: .seconds(600))
    }

    @Test func `Two processes that change one scope at once lose no change and finally see everything`() async throws {
        let cluster = try await sharedCluster.value
        let stores = try await [cluster.open(prefix), cluster.open(prefix), cluster.open(prefix)]
        try await concurrently(0..<300) { try await stores[$0 % 3].count() }
        for store in stores {
            try await eventually("the last count in every store") { try store.record("a")?.values["count"] == 300 }
            #expect(try store.record("a")?.revision == 300)
        }
    }

    @Test func `Changes too large together for one etcd request are stored one after the other`() async throws {
        let store = try await sharedCluster.value.open(prefix)
        let text = String(repeating: "x", count: 60_000)
        try await concurrently(0..<60) { try await store.put("p/\($0)", ["x": .string(text)]) }
        #expect(try store.scopes(prefix: "p/").count == 60)
    }

    @Test func `A value too large for etcd is refused and does not stop other settings being stored`() async throws {
        let store = try await sharedCluster.value.open(prefix)
        let note = StoredSetting(wrappedValue: "", "note", scope: "large", store: store)
        let count = StoredSetting(wrappedValue: 0, "count", scope: "large", store: store)
        note.wrappedValue = String(repeating: "x", count: 4_000_000)
        count.wrappedValue = 7
        let error = await #expect(throws: SettingsError.self) { try await count.projectedValue.commit() }
        #expect(error?.code == .unsupportedValue && note.projectedValue.error?.code == .unsupportedValue)
        #expect(try store.record("large")?.values == ["count": 7] && count.projectedValue.error == nil)
        note.wrappedValue = "short"
        try await note.projectedValue.commit()
        #expect(try store.record("large")?.values == ["count": 7, "note": "short"])
    }

    @Test func `A transaction that lists scopes is run again when another process adds one`() async throws {
        let cluster = try await sharedCluster.value
        let stores = [try await cluster.open(prefix), try await cluster.open(prefix)]
        try await concurrently(0..<40) { index in
            try await stores[index % 2].transact { transaction in
                let number = try transaction.scopes(prefix: "p/").count
                try transaction.update("p/\(number)", ["x": .int(number)], by: "test", at: .now)
            }
        }
        #expect(try await cluster.open(prefix).scopes(prefix: "p/").count == 40)
    }

    @Test func `Many transactions at once share transactions of etcd, however many scopes they change`() async throws {
        let store = try await sharedCluster.value.open(prefix)
        try await concurrently(0..<1000) { try await store.put("p/\($0)", ["x": 1]) }
        #expect(try store.scopes(prefix: "p/").count == 1000)
        #expect(try await sharedCluster.value.open(prefix).records(prefix: "p/").count == 1000)
        let error = await #expect(throws: SettingsError.self) {
            try await store.transact { transaction in
                for index in 0..<200 { try transaction.update("p/\(index)", ["x": 2], by: "test", at: .now) }
            }
        }
        #expect(error?.code == .unsupportedValue)
    }

    @Test func `A store on etcd refuses another key, and keeps secrets sealed in etcd`() async throws {
        let cluster = try await sharedCluster.value
        let store = try await cluster.open(prefix)
        try await store.put("a", ["code": .secret("canary-9")])
        #expect(await errorCode { try await cluster.open(prefix, key: 2) } == .wrongKey)
        #expect(try await cluster.open(prefix).record("a")?.values["code"] == .secret("canary-9"))
        #expect(try await !cluster.control("get", "--prefix", prefix).contains("canary"))
    }

    @Test func `A store on etcd catches up on all changes after a compaction and after a cut watch`() async throws {
        let cluster = try await EtcdCluster(members: 1)
        let (store, other) = (try await cluster.open(prefix), try await cluster.open(prefix))
        try await store.put("gone", ["x": 1])
        await cluster.kill(0)
        try cluster.start(0)
        try await cluster.waitForLeader()
        try await eventually("a change after the restart") { (try? await other.put("a", ["x": 1])) != nil }
        // The watch of the first store pauses between two attempts while all of this happens.
        for value in 2...50 { try await other.put("a", ["x": .int(value)]) }
        try await other.transact { try $0.remove("gone") }
        let status = try await cluster.control("endpoint", "status", "--write-out", "json")
        let revision = try #require(status.firstMatch(of: /"revision":(\d+)/)?.1)
        try await cluster.control("compact", String(revision))
        try await eventually("what changed before the compaction") {
            try store.record("a")?.values["x"] == 50 && store.record("gone") == nil
        }
    }

    @Test func `A store that only reads sees what a cluster that was restored from a snapshot has`() async throws {
        let cluster = try await EtcdCluster(members: 1)
        let (store, other) = (try await cluster.open(prefix), try await cluster.open(prefix))
        try await other.put("a", ["x": 1])
        let snapshot = try await cluster.saveSnapshot()
        try await other.put("a", ["x": 2])
        try await other.put("b", ["x": 3])
        try await eventually("the changes after the snapshot") { try store.record("b")?.values["x"] == 3 }
        try await cluster.restore(snapshot)
        try await eventually("the values of the snapshot") {
            try store.record("a")?.values["x"] == 1 && store.record("b") == nil
        }
    }

    @Test func `Without a majority, a store throws in seconds and still reads; answered changes remain`() async throws {
        let cluster = try await EtcdCluster()
        let store = try await cluster.open(prefix)
        try await store.put("a", ["x": 1])
        await cluster.kill(0)
        await cluster.kill(1)
        let start = ContinuousClock.now
        let failure = await #expect(throws: SettingsError.self) { try await store.put("a", ["x": 2]) }
        #expect(failure?.code == .unavailable)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(try store.record("a")?.values["x"] == 1)
        try cluster.start(0)
        try await eventually("a change with a majority") { (try? await store.put("b", ["x": 3])) != nil }
        // A leader that had not noticed the loss may have kept the change, and carries it out with the next majority.
        let isUnknown = failure?.message.contains("may have been stored or not") == true
        let value = try store.record("a")?.values["x"]
        #expect(value == 1 || isUnknown && value == 2)
    }

    @Test func `A store on etcd counts all members for a majority, not only those that endpoints name`() async throws {
        let cluster = try await EtcdCluster()
        let client = try EtcdClient(EtcdConfiguration(endpoints: [cluster.endpoints[0]]))
        #expect(try await client.countVotingMembers() == 3)
        await cluster.kill(0)
        let error = await #expect(throws: EtcdError.self) { try await client.read(.one("x")) }
        #expect(error?.code == .unreachable)
    }

    @Test func `A change whose answer is lost is stored once, and the next member answers it`() async throws {
        let cluster = try await sharedCluster.value
        let gate = try await TCPGate(to: [cluster.ports[0]])
        var configuration = EtcdConfiguration(
            endpoints: ["http://127.0.0.1:\(gate.ports[0])"] + cluster.endpoints.dropFirst()
        )
        configuration.timeout = .seconds(1)
        var options = EtcdSettingsStore.Options()
        options.prefix = prefix
        var answered = 0
        for _ in 0..<8 {
            let store = try await EtcdSettingsStore.open(EtcdClient(configuration), options: options)
            // One change follows the other, so most cuts come between a request and its answer.
            let isCut = LockedValue(false)
            Task {
                try await Task.sleep(for: .milliseconds(.random(in: 50...70)))
                gate.cut()
                isCut.value = true
            }
            var left = 20
            repeat {
                try await store.count()
                answered += 1
                if isCut.value { left -= 1 }
            } while left > 0
            gate.mend()
        }
        let count = try await cluster.open(prefix).record("a")?.values["count"]?.intValue
        #expect(count == answered)
    }
}

extension SettingsStore {
    /// Counts one more in a scope.
    fileprivate func count() async throws {
        try await transact { transaction in
            let count = try transaction.record("a")?.values["count"]?.intValue ?? 0
            try transaction.update("a", ["count": .int(count + 1)], by: "test", at: .now)
        }
    }
}
