import Platform
import Synchronization

/// A store that lasts as long as the process; for tests and previews.
public final class InMemorySettingsStore: SettingsStore {
    private struct Contents: SettingsReader {
        let epoch: String
        var records: [String: SettingsRecord] = [:]
        var removed: [String: Int] = [:]

        func scopes(prefix: String) -> [String] { records.keys.filter { $0.hasPrefix(prefix) }.sorted() }
        func record(_ scope: String) -> SettingsRecord? { records[scope] }
        func removedRevision(_ scope: String) -> Int { removed[scope] ?? 0 }

        mutating func apply(_ write: SettingsWrite, to scope: String) {
            records[scope] = write.record
            if case .remove(let revision) = write { removed[scope] = revision } else { removed[scope] = nil }
        }
    }

    private let contents: Mutex<Contents>
    // A lock of its own, so that a body may read the store.
    private let writer = Mutex(())
    private let observers = StoreObservers()

    /// Makes an empty store with an epoch of its own.
    public init() { contents = Mutex(Contents(epoch: .randomEpoch())) }

    /// Reads what is stored at one moment.
    public func read<Result>(_ body: (any SettingsReader) throws -> Result) rethrows -> Result {
        try body(contents.withLock(\.self))
    }

    /// What is stored for a scope; nil if there is nothing.
    public func record(_ scope: String) -> SettingsRecord? { contents.withLock { $0.records[scope] } }

    /// Runs `body` alone and keeps its changes.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        let result = try writer.withLock { _ in
            let (result, writes) = try {
                var transaction = SettingsTransaction(over: contents.withLock(\.self))
                return (try body(&transaction), transaction.writes)
            }()
            // The transaction is released by now; otherwise the change would copy all contents.
            contents.withLock { for (scope, write) in writes { $0.apply(write, to: scope) } }
            observers.enqueue(StoreChanges(writes))
            return result
        }
        observers.deliver()
        return result
    }

    /// Tells an observer what is committed from now on.
    public func add(_ observer: StoreObserver) { observers.add(observer) }
}

extension String {
    /// A random text of 128 bits that tells stores apart.
    package static func randomEpoch() -> String { UInt128.random(in: .min ... .max).hex(digits: 32) }
}
