import Settings
import Synchronization

/// The records that the writing connection knows, so that a change of one value reads nothing.
///
/// A commit of another process is noticed before the next transaction, and its scopes are removed here.
final class RecordCache: Sendable {
    /// Two for each printer of a farm.
    private static let limit = 512

    private let records = Mutex<[String: SettingsRecord]>([:])

    /// The record of a scope; nil if it has to be read.
    subscript(scope: String) -> SettingsRecord? {
        get { records.withLock { $0[scope] } }
        set {
            records.withLock { records in
                if records.count >= Self.limit { records = [:] }
                records[scope] = newValue
            }
        }
    }

    /// Forgets records that another process has changed.
    func remove(_ scopes: Set<String>) {
        records.withLock { records in for scope in scopes { records[scope] = nil } }
    }

    /// Forgets all records.
    func removeAll() { records.withLock { $0 = [:] } }
}
