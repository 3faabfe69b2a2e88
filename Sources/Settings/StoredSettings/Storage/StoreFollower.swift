import Concurrency
import Synchronization

/// Brings each commit of a store to the models and the followed scopes of this process, in the order of the commits.
final class StoreFollower: Sendable {
    private struct State {
        var cores: [String: [Weak<SettingsCore>]] = [:]
        var followed = WeakList<FollowedScopes>()
    }

    let store: any SettingsStore
    /// The same store, if it needs to know types.
    let typed: (any TypedSettingsStore)?
    private let state = Mutex(State())
    private let observer = Mutex<StoreObserver?>(nil)

    private init(_ store: any SettingsStore) {
        self.store = store
        typed = store as? any TypedSettingsStore
    }

    /// Begins to observe, before the first caller reads or commits.
    private func start() {
        observer.withLock { observer in
            guard observer == nil else { return }
            let new = StoreObserver { [weak self] in self?.receive($0) }
            store.add(new)
            observer = new
        }
    }

    /// The memory of a model: one for each scope and schema in a process.
    func core(scope: String, schema: SettingsSchema) -> SettingsCore {
        let (core, others) = state.withLock { state in
            let alive = (state.cores[scope] ?? []).compactMap(\.object)
            if let core = alive.first(where: { $0.declarations == schema.declarations }) { return (core, alive) }
            let core = SettingsCore(scope: scope, schema: schema, follower: self)
            state.cores[scope] = (alive + [core]).map(Weak.init)
            // Under the lock: a commit that arrives now also reaches the new core.
            if let record = state.followed.objects.lazy.compactMap({ $0.known(scope) }).first { core.load(record) }
            return (core, alive)
        }
        typed?.note(Dictionary(uniqueKeysWithValues: schema.descriptors.map { ($0.name, $0.type) }), in: scope)
        // Releasing a core runs code of the values' types, so it must not happen under the lock.
        withExtendedLifetime(others) {}
        core.loadOnce(from: store)
        return core
    }

    /// Drops the entries of released models; no core may be released under the lock.
    func forgetReleased(_ scope: String) {
        let alive = state.withLock { state in
            let alive = (state.cores[scope] ?? []).compactMap(\.object)
            state.cores[scope] = alive.isEmpty ? nil : alive.map(Weak.init)
            return alive
        }
        withExtendedLifetime(alive) {}
    }

    func follow(_ prefixes: [String]) throws -> FollowedScopes {
        let followed = FollowedScopes(prefixes, follower: self)
        // Follow before reading, so that no commit is missed between the two.
        state.withLock { $0.followed.add(followed) }
        let records = try store.read { reader in
            try prefixes.reduce(into: [:]) { $0.merge(try reader.records(prefix: $1)) { $1 } }
        }
        let scopes = state.withLock { _ in followed.load(records) }
        followed.report(scopes)
        return followed
    }

    private func receive(_ changes: StoreChanges) {
        let (cores, followed) = state.withLock { state in
            let followed = state.followed.objects
            for some in followed { some.note(changes) }
            var cores = changes.states.flatMap { scope, new in
                (state.cores[scope] ?? []).compactMap(\.object).map { ($0, new) }
            }
            if let fault = changes.fault {
                cores += state.cores.values.joined().compactMap(\.object).map { ($0, .unreadable(fault)) }
            }
            return (cores, followed)
        }
        // Models first: readers of followed scopes look at them.
        for (core, new) in cores { core.receive(new) }
        for some in followed { some.report(changes.scopes) }
    }

    /// Reads a scope again after a pause, as long as it cannot be read and has a model.
    func retry(_ core: SettingsCore) {
        guard core.state.withLock({ $0.beginRetry() }) else { return }
        Task { [weak core] in
            try? await Task.sleep(for: .seconds(1))
            core?.state.withLock { $0.isRetrying = false }
            core?.loadOnce(from: store)
        }
    }

    /// Offers to the store again what it could not write, after a pause or when the program ends.
    ///
    /// A released model is kept for that, unless the store is closed, or another process owns the settings.
    func saveAgain(_ core: SettingsCore) {
        let code = core.state.withLock(\.storeSaveError).map(SettingsError.init)?.code
        let kept = code == .closed || code == .notOwned ? nil : core
        PendingPumps.start(after: .seconds(2)) { [weak core] in withExtendedLifetime(kept) { core?.saveAgain() } }
    }

    /// By the identity of the store, which no other store gets while the follower keeps it alive.
    private static let all = Mutex<[ObjectIdentifier: Weak<StoreFollower>]>([:])

    static func shared(by store: any SettingsStore) -> StoreFollower {
        let (follower, others) = all.withLock { all in
            let others = all.values.compactMap(\.object)
            if let follower = all[ObjectIdentifier(store)]?.object { return (follower, others) }
            let new = StoreFollower(store)
            all = all.filter { $0.value.object != nil }
            all[ObjectIdentifier(store)] = Weak(new)
            return (new, others)
        }
        withExtendedLifetime(others) {}
        follower.start()
        return follower
    }
}
