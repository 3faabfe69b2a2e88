import Foundation
import StoredSettings
import Synchronization
import TestSupport

/// A store in memory whose calls can be held up or made to fail.
final class GatedStore: SettingsStore {
    private struct State {
        var writeError: SettingsError?
        var readError: SettingsError?
        var failures = 0
        var refused: Set<String> = []
    }

    private let store: Mutex<InMemorySettingsStore>
    private let isDeaf: Bool
    private let delay: TimeInterval
    private let state = Mutex(State())
    private let turnstile = Turnstile()
    private let observers = StoreObservers()

    /// A deaf one tells only what it stored itself; observers are told nothing for `delay`.
    init(_ store: InMemorySettingsStore = InMemorySettingsStore(), isDeaf: Bool = false, delay: TimeInterval = 0) {
        self.store = Mutex(store)
        self.isDeaf = isDeaf
        self.delay = delay
    }

    private var base: InMemorySettingsStore { store.withLock(\.self) }

    func close() { turnstile.close() }
    func open() { turnstile.open() }
    /// How many transactions wait.
    var waiting: Int { turnstile.waiting }
    /// Lets the transaction pass that waits longest.
    func letOnePass() { turnstile.leave() }

    func fail(with error: SettingsError?) { state.withLock { $0.writeError = error } }
    func failReads(with error: SettingsError?) { state.withLock { $0.readError = error } }
    /// Fails so many calls, whatever they are.
    func failNext(_ count: Int) { state.withLock { $0.failures = count } }
    /// Takes no value for these keys, as a store does that has no key to seal secrets with.
    func refuse(_ keys: Set<String>) { state.withLock { $0.refused = keys } }

    func add(_ observer: StoreObserver) {
        Thread.sleep(forTimeInterval: delay)
        observers.add(observer)
        if !isDeaf { base.add(observer) }
    }

    /// Tells of changes that nobody made.
    func tell(_ changes: StoreChanges) { observers.tell(changes) }

    /// Puts another store in the place of this one, such as a copy of yesterday.
    func replace(with copy: InMemorySettingsStore) { store.withLock { $0 = copy } }

    private func check(_ error: KeyPath<State, SettingsError?>) throws {
        try state.withLock { state in
            if let error = state[keyPath: error] { throw error }
            guard state.failures > 0 else { return }
            state.failures -= 1
            throw SettingsError(.busy, "busy")
        }
    }

    func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        try check(\.readError)
        return try base.read(body)
    }

    @discardableResult
    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        await turnstile.enter()
        try check(\.writeError)
        let refused = state.withLock(\.refused)
        let (result, writes) = try await base.transact { transaction in
            let result = try body(&transaction)
            for case .put(_, let changed) in transaction.writes.values {
                guard let key = changed.keys.first(where: refused.contains) else { continue }
                throw SettingsError(.noKey, "\(key) is secret, and the store was opened without a key")
            }
            return (result, transaction.writes)
        }
        if isDeaf { observers.tell(StoreChanges(writes)) }
        return result
    }
}
