import Concurrency
import Foundation
import Logging
import PrinterReport
import Printers
import Recorder
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
    /// Why there is no connection to the broker, and what to do; nil while there is one, and before the first attempt.
    let connectionProblem = LockedValue<String?>(nil)
    /// Whether the broker passed a printer's discovery to a subscriber; nil before, and with MQTT 3.1.1.
    let discoveryHasReaders = LockedValue<Bool?>(nil)
    let outbox: Outbox
    let counters = BridgeCounters()
    let warnings: WarningBoard
    let refusals: RefusalLog
    let clips: ClipDesk

    init(
        topics: Topics,
        registry: PrinterRegistry,
        owned: OwnedSettingsStore? = nil,
        warnings: WarningList = WarningList(),
        clips: ClipDesk = ClipDesk(),
        logger: Logger
    ) {
        self.topics = topics
        self.registry = registry
        self.owned = owned
        self.clips = clips
        self.logger = logger
        outbox = Outbox(waking: wakeup)
        self.warnings = WarningBoard(warnings, waking: wakeup, logger: logger)
        refusals = RefusalLog(logger: logger)
    }

    @Sendable func post(_ events: [PrinterEvent]) {
        for event in events {
            post(event.kind.rawValue, of: event.printer, at: event.time, event.details, hasClip: event.isOfClip)
        }
    }

    func post(_ events: [PrintEvent], of id: PrinterID, at time: Date) {
        for event in events { post(event.kind.rawValue, of: id, at: time, event.details, hasClip: event.isOfClip) }
    }

    private func post(_ type: String, of id: PrinterID, at time: Date, _ details: [String: JSONValue], hasClip: Bool) {
        let clip = hasClip ? order(type, of: id, at: time)?.paths : nil
        let message = topics.event(type, of: id, at: time, details.merging(clip ?? [:]) { $1 })
        outbox.post([message], as: .event(until: .now + Outbox.eventLifetime))
    }
}
