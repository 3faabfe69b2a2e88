import Foundation
import Logging
import PrinterLink
import Printers
import StoredSettings

/// What all parts of the bridge share.
struct BridgeContext: Sendable {
    let topics: Topics
    let registry: PrinterRegistry
    let role: BridgeRole
    let logger: Logger
    let wakeup = Wakeup()
    let outbox: Outbox
    let counters = BridgeCounters()
    let warnings: WarningBoard

    init(
        topics: Topics,
        registry: PrinterRegistry,
        role: BridgeRole? = nil,
        warnings: WarningList = WarningList(),
        logger: Logger
    ) {
        self.topics = topics
        self.registry = registry
        self.role = role ?? .alone(topics, registry)
        self.logger = logger
        outbox = Outbox(waking: wakeup)
        self.warnings = WarningBoard(warnings, waking: wakeup, logger: logger)
    }

    @Sendable func post(_ events: [PrinterEvent]) {
        outbox.post(events.map(topics.message(for:)), lifetime: Outbox.eventLifetime)
    }

    @Sendable func post(_ events: [PrintEvent], of id: PrinterID, at time: Date) {
        outbox.post(events.map { topics.message(for: $0, of: id, at: time) }, lifetime: Outbox.eventLifetime)
    }
}
