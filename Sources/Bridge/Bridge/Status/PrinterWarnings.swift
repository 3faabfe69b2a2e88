import Concurrency
import Printers
import StoredSettings

extension PrinterRegistry {
    /// Calls `tell` with the warnings about all printers each time that they change, until it is cancelled.
    func followWarnings(
        _ warnings: @Sendable (Printer) -> [BridgeWarning],
        tell: @Sendable ([BridgeWarning]) async -> Void
    ) async {
        var known: [PrinterID: [BridgeWarning]] = [:]
        let changes = watch()
        while let ids = await changes.next() {
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
        var (serials, told) = ([PrinterID: String](), [[PrinterID]]())
        let changes = watch()
        while let ids = await changes.next() {
            // Few changes are of a serial number.
            let changed = ids.filter { serials[$0] != self[$0]?.committed.serial }
            for id in changed { serials[id] = self[id]?.committed.serial }
            let shared = changed.isEmpty ? told : all.sharedSerials
            if shared != told { await tell(shared.map(BridgeWarning.sharedSerial)) }
            told = shared
        }
    }
}
