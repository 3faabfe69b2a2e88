import Synchronization

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
