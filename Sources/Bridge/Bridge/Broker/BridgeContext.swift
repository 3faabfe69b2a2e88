import Logging
import Printers

/// What the parts of a running bridge share.
struct BridgeContext: Sendable {
    /// The names of the topics.
    let topics: Topics
    let logger: Logger
    /// Wakes the publisher.
    let wakeup = Wakeup()
    /// Answers and events to send.
    let outbox: Outbox
    let counters = BridgeCounters()
    /// What a person should know.
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
}
