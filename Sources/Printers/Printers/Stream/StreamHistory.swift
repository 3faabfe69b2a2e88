package import Foundation

/// The status of a stream over the last day: one entry for each change.
package struct StreamHistory: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var since: Date
        package var status: StreamStatus
    }

    /// How far back it goes, in seconds.
    package static let window = 86_400.0
    /// How many changes are kept: a stream that changes more often loses the oldest ones.
    static let limit = 100

    /// The changes in order; the first one may be older than ``window``.
    package private(set) var entries: [Entry] = []

    mutating func record(_ status: StreamStatus, at time: Date) {
        guard entries.last?.status != status else { return }
        entries.append(Entry(since: time, status: status))
        let start = time.addingTimeInterval(-Self.window)
        // The last entry before the window says what held at its beginning.
        let expired = max(0, (entries.firstIndex { $0.since > start } ?? 0) - 1)
        entries.removeFirst(max(expired, entries.count - Self.limit))
    }
}
