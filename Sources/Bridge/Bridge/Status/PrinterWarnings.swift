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
        var serials = SharedSerials()
        let changes = watch()
        while let ids = await changes.next() {
            let before = serials.groups
            for id in ids { serials.note(id, self[id]) }
            if serials.groups != before { await tell(serials.groups.map(BridgeWarning.sharedSerial)) }
        }
    }
}
