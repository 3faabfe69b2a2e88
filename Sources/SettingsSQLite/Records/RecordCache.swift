import Settings
import Synchronization

/// The records that the writing connection read or wrote last, so that a transaction does not read what is known.
///
/// Its owner removes what other processes change, before a transaction reads.
final class RecordCache: Sendable {
    /// A record, and the rows that it is stored as.
    struct Entry {
        var record: SettingsRecord
        /// In the order of their keys.
        var settings: [SettingRow]

        /// Puts a row in its place, or removes it.
        mutating func put(_ row: SettingRow, isRemoved: Bool) {
            // As SQLite compares keys: byte by byte.
            let next = settings.firstIndex { !$0.key.utf8.lexicographicallyPrecedes(row.key.utf8) }
            let place = next ?? settings.endIndex
            let exists = place < settings.endIndex && settings[place].key.utf8.elementsEqual(row.key.utf8)
            if exists { settings.remove(at: place) }
            if !isRemoved { settings.insert(row, at: place) }
        }
    }

    /// Records that are kept, at most; two for each printer that is being changed.
    private static let limit = 512

    private let entries = Mutex<[String: Entry]>([:])

    /// The record of a scope; nil if it has to be read.
    subscript(scope: String) -> Entry? {
        get { entries.withLock { $0[scope] } }
        set {
            entries.withLock { entries in
                if entries.count >= Self.limit { entries = [:] }
                entries[scope] = newValue
            }
        }
    }

    /// Forgets records that another process has changed.
    func remove(_ scopes: some Sequence<String>) {
        entries.withLock { entries in for scope in scopes { entries[scope.canonical] = nil } }
    }

    /// Forgets all records.
    func removeAll() { entries.withLock { $0 = [:] } }
}
