import Synchronization

extension SettingsStorage {
    /// Keeps those settings that have a ``SyncPolicy`` the same here and in a remote store, from now on and as long as the
    /// model lives.
    ///
    /// What is assigned while the remote store cannot be reached is sent when it can, also after a restart. Several models,
    /// of one class or of several, may be synchronised over the same scope; and one model with several remote stores of
    /// different names. Asking twice for the same changes nothing.
    ///
    /// - Parameters:
    ///   - remote: Where others have the same settings.
    ///   - keyPrefix: What the names of the settings begin with in the remote store; the scope and a slash unless given.
    ///   - options: How patient to be with the remote store.
    public func synchronize(
        with remote: any RemoteStore,
        keyPrefix: String? = nil,
        options: SyncOptions = SyncOptions()
    ) {
        guard let store = core.observer?.store else {
            return sync.refuse(SyncError(.noStore, "needs a store; an InMemorySettingsStore will do"))
        }
        sync.add(remote.name) { [core] in
            let remotePrefix = keyPrefix ?? scope + "/"
            let keys = core.schema.descriptors.compactMap {
                SyncedKey($0, prefix: core.prefix, remotePrefix: remotePrefix)
            }
            let ledger = SyncLedger(scope: scope, remote: remote.name, keys: keys)
            let engine = SyncEngine(ledger, remote: remote, store: store, options: options)
            core.beforeWriting.withLock { steps in
                // A name that is too long for a mark must not keep its value from being stored.
                steps.append { try? ledger.register(in: &$0) }
            }
            return SyncSession(engine, remote: remote, store: store) { try? await core.commit() }
        }
    }

    /// Why a setting and its remote store are not in agreement; nil again after the next success.
    ///
    /// The local value stays in force, and is tried again later.
    public func syncError<Value>(of key: SettingsKey<Value>) -> SyncError? { sync.error(of: key.name) }

    /// What stands in the way of synchronisation, be it the way to the remote store or one setting; nil when all is well.
    public var syncError: (any Error)? { sync.error }

    /// Waits until all that was assigned before is stored and sent, and all that the remote store had is here.
    ///
    /// - Throws: What stands in the way, after an attempt was made; `CancellationError`, without taking anything back.
    public func waitUntilSynced() async throws {
        try await commit()
        try await sync.waitUntilSynced()
        // What came is in the store, and may still be on its way from there.
        if let store = core.observer?.store { core.merge(try store.record(scope)) }
    }
}
