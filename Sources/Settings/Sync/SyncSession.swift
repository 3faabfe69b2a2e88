/// Runs a ``SyncEngine`` as long as it is kept.
final class SyncSession: Sendable {
    let engine: SyncEngine
    private let tasks: [Task<Void, Never>]

    /// - Parameters:
    ///   - engine: What is run.
    ///   - remote: Its remote store.
    ///   - store: Its store.
    ///   - settle: Waits until what was assigned before is stored.
    init(
        _ engine: SyncEngine,
        remote: any RemoteStore,
        store: any SettingsStore,
        settle: @escaping @Sendable () async -> Void
    ) {
        self.engine = engine
        // Listening comes before the first look, so that no change falls between.
        let events = remote.events()
        let scope = engine.ledger.scope
        let changes = store.changes { $0 == scope }
        tasks = [
            Task {
                for await event in events { engine.handle(event) }
                if !Task.isCancelled { engine.handle(.disconnected(SyncError(.offline, "sends no more events"))) }
            },
            Task { for await _ in changes { engine.noteLocalChange() } },
            Task {
                await settle()
                await engine.run()
            },
        ]
    }

    deinit {
        for task in tasks { task.cancel() }
    }
}
