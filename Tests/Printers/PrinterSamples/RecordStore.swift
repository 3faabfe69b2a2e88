package import StoredSettings
import Synchronization

/// A store that holds what a test puts into it, and takes no transactions.
package final class RecordStore: SettingsStore {
    private struct Reader: SettingsReader {
        let records: [String: SettingsRecord]

        var epoch: String { "e1" }
        func scopes(prefix: String) -> [String] { records.keys.filter { $0.hasPrefix(prefix) }.sorted() }
        func record(_ scope: String) -> SettingsRecord? { records[scope] }
        func removedRevision(_ scope: String) -> Int { 0 }
    }

    private let records = Mutex<[String: SettingsRecord]>([:])
    private let observers = StoreObservers()

    package init() {}

    package func put(_ record: SettingsRecord, to scope: String) {
        records.withLock { $0[scope] = record }
        observers.tell(StoreChanges([scope: .stored(record)]))
    }

    package func add(_ observer: StoreObserver) { observers.add(observer) }

    package func read<Result>(_ body: (any SettingsReader) throws -> Result) rethrows -> Result {
        try body(Reader(records: records.withLock(\.self)))
    }

    package func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result { throw SettingsError(.readOnly, "takes no transactions") }
}
