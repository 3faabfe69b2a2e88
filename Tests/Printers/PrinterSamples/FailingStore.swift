package import StoredSettings
import Synchronization

/// A store in memory that fails when it is told to.
package final class FailingStore: SettingsStore {
    private let store = InMemorySettingsStore()
    private let failing = Mutex(false)
    private let commits = Mutex(0)
    private let reads = Mutex(0)

    package init() {}

    /// Whether every read and write fails.
    package var fails: Bool {
        get { failing.withLock { $0 } }
        set { failing.withLock { $0 = newValue } }
    }

    /// How many transactions were committed.
    package var commitCount: Int { commits.withLock { $0 } }

    /// How often it was read, but for what transactions read.
    package var readCount: Int { reads.withLock { $0 } }

    package func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        try check()
        reads.withLock { $0 += 1 }
        return try store.read(body)
    }

    package func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try check()
        let result = try await store.transact(body)
        commits.withLock { $0 += 1 }
        return result
    }

    package func add(_ observer: StoreObserver) { store.add(observer) }

    private func check() throws {
        if fails { throw SettingsError(.full, "the disk is full") }
    }
}
