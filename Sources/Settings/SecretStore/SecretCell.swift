import Synchronization

/// A secret in a store, and what was assigned and is not stored yet.
final class SecretCell<Value: Codable & Sendable & Hashable>: Sendable {
    private struct State {
        /// What was assigned last; gone as soon as it is stored.
        var unsaved: Value??
        /// Counts what was assigned.
        var version = 0
        var saving: Task<Void, Never>?
        var error: (any Error)?
    }

    private let name: String
    private let ownStore: (any SecretStore)?
    private let state = Mutex(State())

    init(_ name: String, _ store: (any SecretStore)?) {
        self.name = name
        ownStore = store
    }

    private var store: any SecretStore { ownStore ?? DefaultSecretStore.store }

    var error: (any Error)? { state.withLock(\.error) }

    /// What was assigned last, or else what is stored.
    func load() throws -> Value? {
        if let unsaved = state.withLock(\.unsaved) { return unsaved }
        do {
            let value = try store.secret(name).map { try SecretPayload<Value>.decode($0, name: name) }
            state.withLock { $0.error = nil }
            return value
        } catch {
            state.withLock { $0.error = error }
            throw error
        }
    }

    /// Assigns, and begins to store.
    func assign(_ value: Value?) {
        state.withLock { state in
            state.unsaved = .some(value)
            state.version += 1
            startSaving(&state)
        }
    }

    /// Changes what is there in one step; another thread's assignment is not lost.
    func update(_ body: (inout Value?) -> Void) {
        while true {
            let version = state.withLock(\.version)
            let old = try? load()
            var value = old
            body(&value)
            // Also when it could not be read: nothing is put in its place by accident.
            guard value != old else { return }
            let isDone = state.withLock { state in
                guard state.version == version else { return false }
                state.unsaved = .some(value)
                state.version += 1
                startSaving(&state)
                return true
            }
            if isDone { return }
        }
    }

    /// Returns when everything that was assigned is stored; tries once more what failed before.
    func save() async throws {
        while true {
            let saving = state.withLock { state -> Task<Void, Never>? in
                guard state.unsaved != nil else { return nil }
                startSaving(&state)
                return state.saving
            }
            guard let saving else { return }
            await saving.value
            let error = state.withLock { state in
                // Whatever was assigned meanwhile has a fate of its own.
                state.unsaved != nil && state.saving == nil ? state.error : nil
            }
            if let error { throw error }
        }
    }

    private func startSaving(_ state: inout State) {
        if state.saving == nil { state.saving = Task { await drain() } }
    }

    private func drain() async {
        while true {
            let next = state.withLock { state -> (value: Value?, version: Int)? in
                guard let value = state.unsaved else {
                    state.saving = nil
                    return nil
                }
                return (value, state.version)
            }
            guard let (value, version) = next else { return }
            do {
                try await store.setSecret(try value.map { try SecretPayload.encode($0, name: name) }, for: name)
                state.withLock { state in
                    state.error = nil
                    if state.version == version { state.unsaved = nil }
                }
            } catch {
                let isLast = state.withLock { state in
                    state.error = error
                    // Kept until it is saved or another takes its place; not tried again by itself.
                    if state.version == version { state.saving = nil }
                    return state.version == version
                }
                if isLast { return }
            }
        }
    }
}
