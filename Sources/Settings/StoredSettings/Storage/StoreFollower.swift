import Synchronization

/// Follows a store for a whole process: brings what is committed to its models, and to all who follow a prefix.
///
/// It reads nothing that the store tells, and it is told in the order of the commits. Released with its last model.
final class StoreFollower: Sendable {
    private struct State {
        var cores: [String: [Weak<SettingsCore>]] = [:]
        var followed = WeakList<FollowedScopes>()
    }

    /// How long to wait before a scope that could not be read is read again.
    private static let retryPause = Duration.seconds(1)

    /// Where the models' settings last.
    let store: any SettingsStore
    /// The same store, if it has to know types.
    let typed: (any TypedSettingsStore)?
    private let state = Mutex(State())
    private let observer = LockedValue<StoreObserver?>(nil)

    private init(_ store: any SettingsStore) {
        self.store = store
        typed = store as? any TypedSettingsStore
    }

    private func start() {
        let new = StoreObserver { [weak self] in self?.receive($0) }
        observer.value = new
        store.add(new)
    }

    /// The memory of a model: one for each scope, prefix and schema in a process.
    func core(scope: String, prefix: String, schema: SettingsSchema) -> SettingsCore {
        let (core, others) = state.withLock { state in
            let alive = (state.cores[scope] ?? []).compactMap(\.object)
            if let core = alive.first(where: { $0.isOf(prefix, schema) }) { return (core, alive) }
            let core = SettingsCore(scope: scope, prefix: prefix, schema: schema, follower: self)
            state.cores[scope] = (alive + [core]).map(Weak.init)
            // Under the lock: a commit that comes now is brought to the new core as well.
            if let record = state.followed.objects.lazy.compactMap({ $0.known(scope) }).first { core.load(record) }
            return (core, alive)
        }
        if let typed {
            let types = schema.descriptors.map { (prefix + $0.name, $0.type) }
            typed.note(Dictionary(uniqueKeysWithValues: types), in: scope)
        }
        // What a core holds may be released with it, and run code of its own, so not under the lock.
        withExtendedLifetime(others) {}
        core.loadOnce(from: store)
        return core
    }

    /// Forgets the models of a scope that were released; what a core holds must not be released under the lock.
    func forgetReleased(_ scope: String) {
        let alive = state.withLock { state in
            let alive = (state.cores[scope] ?? []).compactMap(\.object)
            state.cores[scope] = alive.isEmpty ? nil : alive.map(Weak.init)
            return alive
        }
        withExtendedLifetime(alive) {}
    }

    /// Follows all scopes that begin with one of some prefixes.
    ///
    /// - Throws: The store's error, if it cannot be read.
    func follow(_ prefixes: [String]) throws -> FollowedScopes {
        let followed = FollowedScopes(prefixes, follower: self)
        // Followed before they are read, so that no commit falls between.
        state.withLock { $0.followed.add(followed) }
        let records = try store.read { reader in
            try prefixes.reduce(into: [:]) { $0.merge(try reader.records(prefix: $1)) { $1 } }
        }
        let scopes = state.withLock { _ in followed.load(records) }
        followed.tell(scopes)
        return followed
    }

    private func receive(_ changes: StoreChanges) {
        let (cores, followed) = state.withLock { state in
            let followed = state.followed.objects
            for some in followed { some.note(changes) }
            let cores = changes.states.flatMap { scope, new in
                (state.cores[scope] ?? []).compactMap(\.object).map { ($0, new) }
            }
            return (cores, followed)
        }
        // The models first: who follows a prefix may look at them.
        for (core, new) in cores { core.take(new) }
        for some in followed { some.tell(changes.scopes) }
    }

    /// Reads a scope again after a pause, as long as it cannot be read and has a model.
    func retry(_ core: SettingsCore) {
        Task { [weak core] in
            try? await Task.sleep(for: Self.retryPause)
            core?.loadOnce(from: store)
        }
    }

    /// By store; a follower holds its store, so that no other can have the same identity meanwhile.
    private static let all = Mutex<[ObjectIdentifier: Weak<StoreFollower>]>([:])

    /// The follower of a store.
    static func shared(by store: any SettingsStore) -> StoreFollower {
        let (follower, isNew, others) = all.withLock { all in
            let others = all.values.compactMap(\.object)
            if let follower = all[ObjectIdentifier(store)]?.object { return (follower, false, others) }
            let new = StoreFollower(store)
            all = all.filter { $0.value.object != nil }
            all[ObjectIdentifier(store)] = Weak(object: new)
            return (new, true, others)
        }
        withExtendedLifetime(others) {}
        if isNew { follower.start() }
        return follower
    }
}
