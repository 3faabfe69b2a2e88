import Synchronization

extension SettingsStorage {
    package func synchronize(with remote: any RemoteStore, keyPrefix: String? = nil, options: SyncOptions = .init()) {
        let engine = core.sync.withLock { sync -> SyncEngine? in
            guard let store = core.follower?.store else {
                sync.refusal = SyncError(.noStore, "needs a store; an InMemorySettingsStore will do")
                return nil
            }
            guard !sync.engines.contains(where: { $0.syncedScope.remote == remote.name }) else { return nil }
            let keys = core.schema.descriptors.compactMap { SyncedKey($0, scope: scope, remotePrefix: keyPrefix) }
            guard Set(keys.map(\.remoteName)).count == keys.count else {
                sync.refusal = SyncError(.notPermitted, "has one key for two settings: give each a key of its own")
                return nil
            }
            let syncedScope = SyncedScope(scope: scope, remote: remote.name, schema: core.schema, keys: keys)
            let engine = SyncEngine(syncedScope, remote: remote, store: store, options: options) { [weak core] in
                core?.perform(ModelState.Effects(announced: [Observed.syncErrors]))
            }
            sync.engines.append(engine)
            return engine
        }
        guard let engine else { return }
        // Beginning and ending are without the lock: a remote store may look at the model then.
        let tasks = engine.start { [core] in try? await core.flush() }
        let isReleased = core.sync.withLock { sync in
            guard sync.engines.contains(where: { $0 === engine }) else { return true }
            sync.tasks += tasks
            return false
        }
        if isReleased { for task in tasks { task.cancel() } }
    }

    package func syncError<Value>(of key: SettingsKey<Value>) -> SyncError? {
        let (engines, refusal) = observedSync
        return refusal ?? engines.lazy.compactMap { $0.error(of: key.name) }.first
    }

    package var syncError: (any Error)? {
        let (engines, refusal) = observedSync
        return refusal ?? engines.lazy.compactMap(\.error).first
    }

    package func waitUntilSynced() async throws {
        try await commit()
        let (engines, refusal) = core.sync.withLock { ($0.engines, $0.refusal) }
        if let refusal { throw refusal }
        for engine in engines { try await engine.waitUntilSynced() }
    }

    private var observedSync: (engines: [SyncEngine], refusal: SyncError?) {
        core.observe(Observed.syncErrors)
        return core.sync.withLock { ($0.engines, $0.refusal) }
    }
}

/// The remote stores that one model is synchronised with.
struct SyncSessions: Sendable {
    var engines: [SyncEngine] = []
    var tasks: [Task<Void, Never>] = []
    var refusal: SyncError?

    /// Forgets all of them; returns the tasks that have to be cancelled, without the lock.
    mutating func end() -> [Task<Void, Never>] {
        defer { self = SyncSessions() }
        return tasks
    }
}
