import Synchronization

/// Brings what anybody stored to the models in memory; one serves all models of a store.
///
/// Released with its last model, or with its owner.
package final class SettingsObserver: Sendable {
    /// Where the models' settings last.
    package let store: any SettingsStore
    private let hub: Hub
    private let tasks: [Task<Void, Never>]
    private let singles = Mutex<[String: WeakStorage]>([:])

    private struct WeakStorage {
        weak let storage: SettingsStorage?
    }

    /// Listens to a store from now on.
    package init(_ store: any SettingsStore) {
        self.store = store
        let hub = Hub(store: store)
        self.hub = hub
        let changes = store.changes { hub.isListening(to: $0) }
        let queue = hub.queue.changes()
        tasks = [
            Task { for await change in changes { hub.queue.send(change) } },
            Task { for await change in queue { await hub.load(change) } },
        ]
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    /// From now on `core` gets what is stored for its scope.
    func register(_ core: SettingsCore) { hub.register(core) }

    /// Reads a scope again soon, in turn with all others.
    func check(_ scope: String) { hub.queue.send([scope]) }

    /// One for all single values in a scope, so that each sees at once what is assigned to another of its key.
    func singles(in scope: String) -> SettingsStorage {
        singles.withLock { singles in
            if let storage = singles[scope]?.storage { return storage }
            let storage = SettingsStorage(scope: scope, schema: SettingsSchema([]), observer: self)
            singles[scope] = WeakStorage(storage: storage)
            return storage
        }
    }
}

/// What the tasks of an observer hold, so that they do not hold the observer.
private final class Hub: Sendable {
    /// Scopes to read; all loads pass through it, one after another, so that none overtakes a later one.
    let queue = SettingsChangeBroadcaster()
    private let store: any SettingsStore
    private let cores = Mutex<[String: WeakList<SettingsCore>]>([:])

    init(store: any SettingsStore) { self.store = store }

    func register(_ core: SettingsCore) {
        cores.withLock { $0[core.scope, default: WeakList()].add(core) }
    }

    func isListening(to scope: String) -> Bool { cores.withLock { $0[scope] != nil } }

    func load(_ change: StoreChanges) async {
        for (scope, record) in change.records { for core in listeners(scope) { core.merge(record) } }
        // How much each has seen before: what is read then is known to be newer, or not.
        var listening: [(core: SettingsCore, sighting: Int)] = []
        let unknown = change.scopes.subtracting(change.records.keys)
        for core in unknown.flatMap(listeners) { listening.append((core, core.state.withLock(\.sightings))) }
        let scopes = Set(listening.map(\.core.scope))
        guard !scopes.isEmpty else { return }
        do {
            let records = try await store.records(of: scopes)
            for (core, sighting) in listening { core.merge(records[core.scope], asOf: sighting) }
        } catch {
            for scope in scopes {
                for core in listeners(scope) { core.failLoad(error) }
            }
            // What was announced is not announced again: it must not be lost to a fault that passes.
            try? await Task.sleep(for: .seconds(1))
            if !Task.isCancelled { queue.send(scopes) }
        }
    }

    private func listeners(_ scope: String) -> [SettingsCore] {
        cores.withLock { cores in
            guard let alive = cores[scope]?.objects else { return [] }
            if alive.isEmpty { cores[scope] = nil }
            return alive
        }
    }
}

extension SettingsObserver {
    private struct WeakObserver {
        weak let observer: SettingsObserver?
    }

    /// By store; an observer holds its store, so that no other can have the same identity meanwhile.
    private static let all = Mutex<[ObjectIdentifier: WeakObserver]>([:])

    /// One for all models of a store, so that a change is brought once and not to each model; a store that is a value, and
    /// so cannot be told from others, gets one for each.
    static func shared(by store: any SettingsStore) -> SettingsObserver {
        guard type(of: store) is AnyClass else { return SettingsObserver(store) }
        let identity = ObjectIdentifier(store as AnyObject)
        if let observer = all.withLock({ $0[identity]?.observer }) { return observer }
        // Not under the lock: the store's own code runs. If two threads do this at a time, the first one's observer stays.
        let new = SettingsObserver(store)
        return all.withLock { all in
            if let observer = all[identity]?.observer { return observer }
            all = all.filter { $0.value.observer != nil }
            all[identity] = WeakObserver(observer: new)
            return new
        }
    }
}
