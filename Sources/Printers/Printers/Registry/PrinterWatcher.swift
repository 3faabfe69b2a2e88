package import Concurrency
package import StoredSettings

/// A printer before and after a change; an object, since a printer is dear to copy.
package final class PrinterChange: Sendable {
    package let before: Printer
    package let now: Printer
    /// Whether something that is stored of the printer changed: its settings, or the record of its camera.
    package let isStored: Bool

    init(before: Printer, now: Printer) {
        (self.before, self.now) = (before, now)
        isStored = before.committed.record != now.committed.record || before.camera != now.camera
    }

    /// Whether something holds for its settings before or after the change.
    package func holds(_ condition: (PrinterSettings.Snapshot) -> Bool) -> Bool {
        condition(before.committed) || condition(now.committed)
    }
}

/// The ids of the printers that came, went, or changed in what concerns its one reader.
package final class PrinterWatcher: Sendable {
    package typealias Concern = @Sendable (PrinterChange) -> Bool

    package let news: Inbox<Set<PrinterID>>
    private let concerns: Concern

    init(waking wakeup: Wakeup, _ concerns: @escaping Concern) {
        news = Inbox([], waking: wakeup)
        self.concerns = concerns
    }

    /// Takes changes by the printers' ids; nil for a printer that came or went.
    func note(_ changes: [PrinterID: PrinterChange?]) {
        let ids = changes.compactMap { id, change in change.map(concerns) ?? true ? id : nil }
        if !ids.isEmpty { news.insert(ids) }
    }
}
