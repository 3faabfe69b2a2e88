import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@testable import StoredSettings

/// Whatever happens in whatever order: when all is quiet, everybody has the same.
@Suite struct SyncConvergenceTests {
    static let seeds = 1...200

    @Test(
        "Clients that follow the remote value agree after any interleaving of single steps, crashes included",
        arguments: seeds
    )
    func steps(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var world = World(clients: Int.random(in: 2...5, using: &random))
        for _ in 0..<400 { world.step(using: &random) }
        world.calmDown()
        #expect(world.clients.allSatisfy { $0.local == world.remote }, "\(world)")
        #expect(world.clients.allSatisfy { !$0.mark.isUnsent($0.local) })
    }

    @Test("A damaged value is not sent as a removal, and the remote one takes its place")
    func damaged() async throws {
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

    @Test(
        "Models agree after any interleaving of assignments, lost connections, late news, refusals and restarts",
        arguments: 1...12
    )
    func models(seed: Int) async throws {
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

/// Some clients of one remote key, each step of each by itself.
private struct World {
    struct Client {
        var local: JSONValue?
        var mark = SyncMark(local: nil)
        var hasNews = true
        var event = SyncEvent.initialSync
        /// What was read there and not yet dealt with; what is on its way there; what was taken and not yet noted.
        var read: JSONValue??
        var sending: JSONValue??
        var taken: JSONValue??

        mutating func crash() {
            (read, sending, taken) = (nil, nil, nil)
            (hasNews, event) = (true, .initialSync)
        }
    }

    var remote: JSONValue?
    var clients: [Client]

    init(clients count: Int) { clients = Array(repeating: Client(), count: count) }

    mutating func step(using random: inout SeededGenerator) {
        let i = clients.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<20, using: &random) {
        case 0: clients[i].crash()
        case 1...3:
            clients[i].local =
                Int.random(in: 0..<6, using: &random) == 0 ? nil : .int(Int.random(in: 0..<4, using: &random))
        default: advance(i)
        }
    }

    /// The next step of one client's exchange, in the order in which the engine makes them.
    mutating func advance(_ i: Int) {
        var client = clients[i]
        defer { clients[i] = client }
        if let taken = client.taken {
            client.mark.acknowledge(taken, account: "")
            client.taken = nil
        } else if let sending = client.sending {
            client.sending = nil
            client.taken = .some(sending)
            guard remote != sending else { return }
            remote = sending
            for other in clients.indices where other != i { clients[other].hasNews = true }
        } else if let read = client.read {
            client.read = nil
            decide(read, &client)
        } else if client.hasNews {
            client.hasNews = false
            client.read = .some(remote)
        } else if client.mark.isUnsent(client.local) {
            client.mark.beginSending()
            client.sending = .some(client.local)
        }
    }

    private func decide(_ read: JSONValue?, _ client: inout Client) {
        let policy = SyncPolicy()
        let local = client.local
        let outcome = client.mark.outcome(
            remote: read,
            local: local,
            account: "",
            event: client.event,
            policy: policy
        )
        client.event = .remoteChange
        if outcome == .adopt { client.local = read }
        client.mark = client.mark.after(outcome, remote: read, local: local, account: "")
    }

    /// No more changes: everybody goes on until nothing is left to do.
    mutating func calmDown() {
        for _ in 0..<200 {
            for i in clients.indices { advance(i) }
        }
    }
}
