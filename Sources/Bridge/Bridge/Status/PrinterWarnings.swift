import Concurrency
import Printers
import StoredSettings

/// Warnings about printers, which follow a registry until the task is cancelled.
extension WarningBoard {
    /// Warns of one kind of fault of printers, as `warnings` finds it.
    func follow(
        _ registry: PrinterRegistry,
        _ code: BridgeWarning.Code,
        _ warnings: @escaping @Sendable (Printer) -> [BridgeWarning]
    ) async {
        var known: [PrinterID: [BridgeWarning]] = [:]
        let watcher = registry.watch { warnings($0.before) != warnings($0.now) }
        while let ids = await watcher.news.next() {
            let before = known
            for id in ids {
                let new = registry[id].map(warnings) ?? []
                known[id] = new.isEmpty ? nil : new
            }
            if known != before { replace(code, with: known.values.flatMap(\.self).sorted()) }
        }
    }

    func followSharedSerials(of registry: PrinterRegistry) async {
        let watcher = registry.watch { $0.before.committed.serial != $0.now.committed.serial }
        while await watcher.news.next() != nil {
            replace(.serialShared, with: registry.all.sharedSerials.map(BridgeWarning.sharedSerial))
        }
    }

    /// Warns while settings cannot be saved.
    func followSaveFaults(of registry: PrinterRegistry) async {
        while let fault = await registry.saveFaults.next() {
            if let fault { warn(.storeFailed(fault.message)) } else { resolve([.storeFailed]) }
        }
    }
}
