import Concurrency
import Printers
import StoredSettings

extension PrinterRegistry {
    /// Calls `tell` with the warnings about all printers each time that they change, until it is cancelled.
    func followWarnings(
        _ warnings: @escaping @Sendable (Printer) -> [BridgeWarning],
        tell: @Sendable ([BridgeWarning]) async -> Void
    ) async {
        var known: [PrinterID: [BridgeWarning]] = [:]
        let watcher = watch { warnings($0.before) != warnings($0.now) }
        while let ids = await watcher.news.next() {
            let before = known
            for id in ids {
                let new = self[id].map(warnings) ?? []
                known[id] = new.isEmpty ? nil : new
            }
            if known != before { await tell(known.values.flatMap(\.self).sorted()) }
        }
    }

    /// Calls `tell` with the warnings about shared serial numbers each time these change, until the task is cancelled.
    func followSharedSerials(tell: @Sendable ([BridgeWarning]) async -> Void) async {
        var told: [[PrinterID]] = []
        let watcher = watch { $0.before.committed.serial != $0.now.committed.serial }
        while await watcher.news.next() != nil {
            let shared = all.sharedSerials
            if shared != told { await tell(shared.map(BridgeWarning.sharedSerial)) }
            told = shared
        }
    }
}
