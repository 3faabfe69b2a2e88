package import Foundation
package import Printers

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

/// Keeps the last day of every printer's stream, in memory only.
actor HistoryRecorder {
    private let registry: PrinterRegistry
    private var histories: [PrinterID: StreamHistory] = [:]

    init(registry: PrinterRegistry) { self.registry = registry }

    subscript(id: PrinterID) -> StreamHistory { histories[id] ?? StreamHistory() }

    func run() async {
        await registry.forEachChange { await self.record($0, at: Date()) }
    }

    private func record(_ ids: Set<PrinterID>, at time: Date) {
        for id in ids {
            if let printer = registry[id] {
                histories[id, default: StreamHistory()].record(printer.stream.status, at: time)
            } else {
                histories[id] = nil
            }
        }
    }
}
