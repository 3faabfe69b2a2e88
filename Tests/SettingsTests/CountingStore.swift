import StoredSettings
import Synchronization

/// A store that counts what is asked of it.
final class CountingStore: SettingsStore {
    struct Work: Equatable {
        var transactions = 0
        /// Values that were written.
        var written = 0
        /// Records that were read.
        var read = 0
        /// Streams of changes.
        var listeners = 0
    }

    private let store = InMemorySettingsStore()
    private let counter = Mutex(Work())

    var work: Work { counter.withLock { $0 } }
    var epoch: String { store.epoch }

    func scopes(prefix: String) -> [String] { store.scopes(prefix: prefix) }

    func record(_ scope: String) -> SettingsRecord? {
        counter.withLock { $0.read += 1 }
        return store.record(scope)
    }

    func records(prefix: String) -> [String: SettingsRecord] { store.records(prefix: prefix) }

    func records(of scopes: Set<String>) async -> [String: SettingsRecord] {
        counter.withLock { $0.read += scopes.count }
        return await store.records(of: scopes)
    }

    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try await store.transact { [counter = Counter(self)] transaction in
            let result = try body(&transaction)
            counter.note(transaction.writes.values)
            return result
        }
    }

    func changes(where isWanted: @escaping @Sendable (String) -> Bool) -> AsyncStream<StoreChanges> {
        counter.withLock { $0.listeners += 1 }
        return store.changes(where: isWanted)
    }

    private struct Counter {
        let store: CountingStore

        init(_ store: CountingStore) { self.store = store }

        func note(_ writes: some Collection<SettingsWrite>) {
            let values = writes.map { write in if case .put(_, let changed) = write { changed.count } else { 1 } }
            store.counter.withLock { work in
                work.transactions += 1
                work.written += values.reduce(0, +)
            }
        }
    }
}
