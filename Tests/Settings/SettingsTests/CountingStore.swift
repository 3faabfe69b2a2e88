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
        /// Observers.
        var listeners = 0
    }

    private let store = InMemorySettingsStore()
    private let counter = Mutex(Work())

    var work: Work { counter.withLock { $0 } }

    func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        try store.read { try body(Reader(base: $0, counter: Counter(self))) }
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

    func add(_ observer: StoreObserver) {
        counter.withLock { $0.listeners += 1 }
        store.add(observer)
    }

    private struct Reader: SettingsReader {
        let base: any SettingsReader
        let counter: Counter

        var epoch: String { base.epoch }
        func scopes(prefix: String) throws -> [String] { try base.scopes(prefix: prefix) }
        func removedRevision(_ scope: String) throws -> Int { try base.removedRevision(scope) }

        func record(_ scope: String) throws -> SettingsRecord? {
            counter.store.counter.withLock { $0.read += 1 }
            return try base.record(scope)
        }
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
