import Platform
import Synchronization

/// The printers that announced themselves within the last minutes.
package final class HeardPrinters: Sendable {
    package struct Entry: Sendable, Hashable {
        package var announcement: PrinterAnnouncement
        /// Seconds of ``Platform/MachineClock``.
        package var heardAt: Double
    }

    /// Seconds after which a printer that is silent is forgotten.
    static let window = 300.0
    /// Nothing about an announcement is authenticated: a flood of serial numbers must not fill the memory.
    static let limit = 1_000

    private let entries = Mutex<[String: Entry]>([:])

    package init() {}

    package func note(_ announcement: PrinterAnnouncement, at time: Double = MachineClock.now) {
        entries.withLock { entries in
            if entries.count >= Self.limit, entries[announcement.serial] == nil {
                entries = entries.filter { time - $0.value.heardAt < Self.window }
                guard entries.count < Self.limit else { return }
            }
            entries[announcement.serial] = Entry(announcement: announcement, heardAt: time)
        }
    }

    package func recent(at time: Double = MachineClock.now) -> [Entry] {
        entries.withLock { Array($0.values) }
            .filter { time - $0.heardAt < Self.window }
            .sorted { $0.announcement.serial < $1.announcement.serial }
    }
}
