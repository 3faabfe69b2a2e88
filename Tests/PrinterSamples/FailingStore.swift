package import StoredSettings
import Synchronization

/// A store in memory that fails when it is told to.
package final class FailingStore: SettingsStore {
    private let store = InMemorySettingsStore()
    private let failing = Mutex(false)
    private let commits = Mutex(0)
    private let overtaker = Mutex<(@Sendable () async -> Void)?>(nil)

    package init() {}

    /// Whether every read and write fails.
    package var fails: Bool {
        get { failing.withLock { $0 } }
        set { failing.withLock { $0 = newValue } }
    }

    /// What happens between each read of some scopes and its answer.
    package var whileReading: (@Sendable () async -> Void)? {
        get { overtaker.withLock { $0 } }
        set { overtaker.withLock { $0 = newValue } }
    }

    /// How many transactions were committed.
    package var commitCount: Int { commits.withLock { $0 } }

    package func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        try check()
        return try store.read(body)
    }

    package func records(of scopes: Set<String>) async throws -> [String: SettingsRecord] {
        try check()
        let records = try await store.records(of: scopes)
        await whileReading?()
        return records
    }

    package func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try check()
        let result = try await store.transact(body)
        commits.withLock { $0 += 1 }
        return result
    }

    package func changes(where isWanted: @escaping @Sendable (String) -> Bool) -> AsyncStream<StoreChanges> {
        store.changes(where: isWanted)
    }

    private func check() throws {
        if fails { throw SettingsError(.full, "the disk is full") }
    }
}
