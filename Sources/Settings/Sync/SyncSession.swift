import Synchronization

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

/// The remote stores that one model is synchronised with.
final class SyncSessions: Sendable {
    private struct State {
        var sessions: [SyncSession] = []
        var error: SyncError?
    }

    private let state = Mutex(State())

    /// Runs an engine for a remote store that has none yet.
    func add(_ remote: String, _ make: () -> SyncSession) {
        state.withLock { state in
            guard !state.sessions.contains(where: { $0.engine.ledger.remote == remote }) else { return }
            state.sessions.append(make())
        }
    }

    /// Notes why there cannot be any.
    func refuse(_ error: SyncError) { state.withLock { $0.error = error } }

    func error(of name: String) -> SyncError? {
        let (sessions, error) = state.withLock { ($0.sessions, $0.error) }
        // All are asked, so that all are observed.
        return sessions.map { $0.engine.status.error(of: name) }.reduce(error) { $0 ?? $1 }
    }

    var error: (any Error)? {
        let (sessions, error) = state.withLock { ($0.sessions, $0.error) }
        return sessions.map(\.engine.status.first).reduce(error) { $0 ?? $1 }
    }

    func waitUntilSynced() async throws {
        let (sessions, error) = state.withLock { ($0.sessions, $0.error) }
        if let error { throw error }
        for session in sessions { try await session.engine.waitUntilSynced() }
    }
}
