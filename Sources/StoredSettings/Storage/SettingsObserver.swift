import Synchronization

/// Brings what is stored, by any model or process, to the models in memory; one serves all models of a store.
///
/// Released with its last model, or with its owner.
package final class SettingsObserver: Sendable {
    /// Where the models' settings last.
    package let store: any SettingsStore
    /// The scopes to read: all loads pass through it one after another, so that none overtakes a later one.
    private let queue = SettingsChangeBroadcaster()
    private let cores = Mutex<[String: WeakList<SettingsCore>]>([:])
    private let singles = Mutex<[String: Weak<SettingsStorage>]>([:])
    private let tasks = Mutex<[Task<Void, Never>]>([])

    package init(_ store: any SettingsStore) {
        self.store = store
        let changes = store.changes { [weak self] scope in self?.cores.withLock { $0[scope] != nil } ?? false }
        let loads = queue.changes()
        let tasks = [
            Task { [queue] in for await change in changes { queue.send(change) } },
            Task { [weak self] in for await change in loads { await self?.load(change) } },
        ]
        self.tasks.withLock { $0 = tasks }
    }

    deinit {
        for task in tasks.withLock(\.self) { task.cancel() }
    }

    /// From now on `core` gets what is stored for its scope.
    func register(_ core: SettingsCore) { cores.withLock { $0[core.scope, default: WeakList()].add(core) } }

    /// Reads a scope again soon, in turn with all others.
    func check(_ scope: String) { queue.send([scope]) }

    /// The storage of all single values in a scope, so that each sees at once what is assigned to another of its key.
    func singles(in scope: String) -> SettingsStorage {
        singles.withLock { singles in
            if let storage = singles[scope]?.object { return storage }
            let storage = SettingsStorage(scope: scope, schema: SettingsSchema([]), observer: self)
            singles[scope] = Weak(object: storage)
            return storage
        }
    }

    private func load(_ change: StoreChanges) async {
        for (scope, record) in change.records { for core in listeners(scope) { core.merge(record) } }
        let unread = change.scopes.subtracting(change.records.keys).flatMap(listeners)
        guard !unread.isEmpty else { return }
        // How much each has seen before: a record that is read afterwards is known to be newer, or not.
        let sightings = unread.map { $0.state.withLock(\.sightings) }
        let scopes = Set(unread.map(\.scope))
        do {
            let records = try await store.records(of: scopes)
            for (core, sighting) in zip(unread, sightings) { core.merge(records[core.scope], asOf: sighting) }
        } catch {
            for core in scopes.flatMap(listeners) { core.failLoad(error) }
            // The store does not announce the change again: it must not be lost to a passing fault.
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

    /// By store; an observer holds its store, so that no other can have the same identity meanwhile.
    private static let all = Mutex<[ObjectIdentifier: Weak<SettingsObserver>]>([:])

    /// The observer of all models of a store, so that a change is brought once; a store that is a value cannot be told from
    /// others, and gets one for each model.
    static func shared(by store: any SettingsStore) -> SettingsObserver {
        guard type(of: store) is AnyClass else { return SettingsObserver(store) }
        let identity = ObjectIdentifier(store as AnyObject)
        if let observer = all.withLock({ $0[identity]?.object }) { return observer }
        // Not under the lock: the store's own code runs. If two threads do this at a time, the first one's observer stays.
        let new = SettingsObserver(store)
        return all.withLock { all in
            if let observer = all[identity]?.object { return observer }
            all = all.filter { $0.value.object != nil }
            all[identity] = Weak(object: new)
            return new
        }
    }
}
