import Synchronization

/// A store that lasts as long as the process; for tests and previews.
public final class InMemorySettingsStore: SettingsStore {
    private struct State {
        var records: [String: SettingsRecord] = [:]
        var removed: [String: Int] = [:]
    }

    private struct Reader: SettingsReader {
        let store: InMemorySettingsStore
        var epoch: String { store.epoch }

        func scopes(prefix: String) -> [String] { store.scopes(prefix: prefix) }
        func record(_ scope: String) -> SettingsRecord? { store.record(scope) }
        func removedRevision(_ scope: String) -> Int { store.state.withLock { $0.removed[scope] ?? 0 } }
    }

    /// Identifies the store.
    public let epoch = String.randomEpoch()

    private let state = Mutex(State())
    // Held while a body runs, so that the body may still read the store.
    private let writer = Mutex(())
    private let broadcaster = SettingsChangeBroadcaster()

    /// One for the whole process: the store of all classes in a program that is built with `SETTINGS_IN_MEMORY`.
    public static let shared = InMemorySettingsStore()

    /// Makes an empty store with an epoch of its own.
    public init() {}

    deinit { broadcaster.finish() }

    /// The names of all scopes that begin with `prefix`, sorted.
    public func scopes(prefix: String) -> [String] {
        state.withLock { $0.records.keys.filter { $0.hasPrefix(prefix) } }.sorted()
    }

    /// What is stored for a scope; nil if there is nothing.
    public func record(_ scope: String) -> SettingsRecord? { state.withLock { $0.records[scope] } }

    /// All records whose scopes begin with `prefix`.
    public func records(prefix: String) -> [String: SettingsRecord] {
        state.withLock { $0.records.filter { $0.key.hasPrefix(prefix) } }
    }

    /// The records of some scopes.
    public func records(of scopes: Set<String>) async -> [String: SettingsRecord] {
        state.withLock { $0.records.filter { scopes.contains($0.key) } }
    }

    /// Runs `body` alone and keeps its changes.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try writer.withLock { _ in
            var transaction = SettingsTransaction(over: Reader(store: self))
            let result = try body(&transaction)
            let writes = transaction.writes
            state.withLock { state in
                for (scope, write) in writes {
                    switch write {
                    case .put(let record, _):
                        state.records[scope] = record
                        state.removed[scope] = nil
                    case .remove(let revision):
                        state.records[scope] = nil
                        state.removed[scope] = revision
                    }
                }
            }
            broadcaster.send(Set(writes.keys))
            return result
        }
    }

    /// The scopes that are changed from now on.
    public func changes(where isWanted: @escaping @Sendable (String) -> Bool) -> AsyncStream<StoreChanges> {
        broadcaster.changes(where: isWanted)
    }
}

extension String {
    /// A random text of 128 bits that tells stores apart.
    package static func randomEpoch() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let part = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 8 - part.count) + part
        }.joined()
    }
}
