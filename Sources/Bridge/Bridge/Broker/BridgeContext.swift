import Concurrency
import Foundation
import Logging
import PrinterReport
import Printers
import StoredSettings

/// What all parts of the bridge share.
struct BridgeContext: Sendable {
    let topics: Topics
    let registry: PrinterRegistry
    /// The store of a bridge that shares its printers with others; nil for a bridge that is alone.
    let owned: OwnedSettingsStore?
    let logger: Logger
    let start = ContinuousClock.now
    let wakeup = Wakeup()
    let outbox: Outbox
    let counters = BridgeCounters()
    let warnings: WarningBoard
    let refusals: RefusalLog

    init(
        topics: Topics,
        registry: PrinterRegistry,
        owned: OwnedSettingsStore? = nil,
        warnings: WarningList = WarningList(),
        logger: Logger
    ) {
        self.topics = topics
        self.registry = registry
        self.owned = owned
        self.logger = logger
        outbox = Outbox(waking: wakeup)
        self.warnings = WarningBoard(warnings, waking: wakeup, logger: logger)
        refusals = RefusalLog(logger: logger)
    }

    @Sendable func post(_ events: [PrinterEvent]) {
        outbox.post(events.map(topics.message(for:)), lifetime: Outbox.eventLifetime)
    }

    @Sendable func post(_ events: [PrintEvent], of id: PrinterID, at time: Date) {
        outbox.post(events.map { topics.message(for: $0, of: id, at: time) }, lifetime: Outbox.eventLifetime)
    }
}
