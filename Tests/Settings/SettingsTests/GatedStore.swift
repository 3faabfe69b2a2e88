import StoredSettings
import Synchronization

/// A store whose writes can be held up or made to fail.
final class GatedStore: SettingsStore {
    private struct State {
        var isOpen = true
        var waiters: [CheckedContinuation<Void, Never>] = []
        var writeError: SettingsError?
        var readError: SettingsError?
        var observers = [StoreObserver]()
    }

    private let store: InMemorySettingsStore
    private let state = Mutex(State())

    init(_ store: InMemorySettingsStore) { self.store = store }

    func close() { state.withLock { $0.isOpen = false } }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// How many transactions wait.
    var waiting: Int { state.withLock(\.waiters.count) }

    /// Lets the transaction pass that waits longest.
    func letOnePass() { state.withLock { $0.waiters.removeFirst() }.resume() }

    func fail(with error: SettingsError?) { state.withLock { $0.writeError = error } }
    func failReads(with error: SettingsError?) { state.withLock { $0.readError = error } }

    func add(_ observer: StoreObserver) {
        state.withLock { $0.observers.append(observer) }
        store.add(observer)
    }

    /// Tells of changes that nobody made.
    func tell(_ changes: StoreChanges) { for observer in state.withLock(\.observers) { observer.receive(changes) } }

    func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        if let error = state.withLock(\.readError) { throw error }
        return try store.read(body)
    }

    @discardableResult
    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if passes { continuation.resume() }
        }
        if let error = state.withLock(\.writeError) { throw error }
        return try await store.transact(body)
    }
}
