import Foundation
import Settings

/// What is remembered of the live wishes of each printer until it is on disk.
struct WishMemories: Sendable, Hashable {
    private var memories: [PrinterID: WishMemory] = [:]

    /// Of one printer; a printer of which nothing is remembered takes no room.
    subscript(id: PrinterID) -> WishMemory {
        get { memories[id] ?? WishMemory() }
        set { memories[id] = newValue == WishMemory() ? nil : newValue }
    }

    /// The marks of wishes that changed nothing, of those printers that have any; they go to disk now, and are no longer
    /// kept here.
    mutating func takeIdle(of ids: some Sequence<PrinterID>) -> [PrinterID: [String]] {
        ids.reduce(into: [:]) { marks, id in
            let idle = self[id].takeIdle()
            if !idle.isEmpty { marks[id] = idle }
        }
    }
}

extension SettingsTransaction {
    /// Keeps the marks of wishes that changed nothing; the last one that did stays the last.
    mutating func keepIdle(_ marks: [PrinterID: [String]], at time: Date) throws {
        for (id, marks) in marks {
            let scope = PrinterSettings.scope(of: id)
            guard let last = try record(scope)?.applied.last else { continue }
            for mark in marks + [last] {
                try update(scope, [:], by: ConfigSource.local.rawValue, at: time, applied: mark)
            }
        }
    }
}
