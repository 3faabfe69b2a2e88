import Foundation
import Logging
import PrinterLink
import Printers

struct BridgeContext: Sendable {
    let topics: Topics
    let logger: Logger
    let wakeup = Wakeup()
    let outbox: Outbox
    let counters = BridgeCounters()
    let warnings: WarningBoard

    init(topics: Topics, logger: Logger, warnings: WarningList = WarningList()) {
        self.topics = topics
        self.logger = logger
        outbox = Outbox(waking: wakeup)
        self.warnings = WarningBoard(warnings, waking: wakeup, logger: logger)
    }

    /// Publishes events of printers, each once.
    @Sendable func post(_ events: [PrinterEvent]) {
        outbox.post(events.map(topics.message(for:)), lifetime: Outbox.eventLifetime)
    }

    /// Publishes events of a print, each once.
    @Sendable func post(_ events: [PrintEvent], of id: PrinterID, at time: Date) {
        outbox.post(events.map { topics.message(for: $0, of: id, at: time) }, lifetime: Outbox.eventLifetime)
    }
}
