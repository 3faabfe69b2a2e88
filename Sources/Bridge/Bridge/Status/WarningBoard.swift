import Concurrency
import Logging
import Printers
import StoredSettings
import Synchronization

/// The warnings that hold now: every part of the bridge adds and removes them, and the publisher reads them.
final class WarningBoard: Sendable {
    private let wakeup: Wakeup
    private let warnings: Mutex<WarningList>
    private let logger: Logger

    init(_ warnings: WarningList, waking wakeup: Wakeup, logger: Logger) {
        self.warnings = Mutex(warnings)
        self.logger = logger
        self.wakeup = wakeup
        for warning in warnings.sorted { log(warning) }
    }

    var list: WarningList { warnings.withLock(\.self) }

    func warn(_ warning: BridgeWarning) { change { $0.insert(warning) } }

    func replace(_ code: BridgeWarning.Code, with others: [BridgeWarning]) {
        change { warnings in
            warnings.remove([code])
            for warning in others { warnings.insert(warning) }
        }
    }

    /// Removes the warnings of some kinds, because their cause is over.
    func resolve(_ codes: Set<BridgeWarning.Code>) { change { $0.remove(codes) } }

    func resolve(_ warning: BridgeWarning) { change { $0.remove(warning) } }

    private func change(_ change: (inout WarningList) -> Void) {
        let (before, after) = warnings.withLock { warnings in
            let before = warnings
            change(&warnings)
            return (before, warnings)
        }
        guard after != before else { return }
        let (old, new) = (before.sorted, after.sorted)
        for warning in new where !old.contains(warning) { log(warning) }
        for warning in old where !new.contains(warning) {
            logger.info("Warning is over", metadata: Self.metadata(warning, warning.cause))
        }
        wakeup.signal()
    }

    private func log(_ warning: BridgeWarning) {
        logger.warning("Warning begins", metadata: Self.metadata(warning, warning.message))
    }

    private static func metadata(_ warning: BridgeWarning, _ message: String) -> Logger.Metadata {
        ["code": "\(warning.code.rawValue)", "message": "\(message)"]
    }
}

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
            for id in ids {
                let new = registry[id].map(warnings) ?? []
                known[id] = new.isEmpty ? nil : new
            }
            let first = known.keys.sorted().prefix(WarningList.limitOfAKind)
            replace(code, with: first.flatMap { known[$0] ?? [] })
        }
    }

    func followSharedSerials(of registry: PrinterRegistry) async {
        var serials = SharedSerials()
        let watcher = registry.watch { $0.before.committed.serial != $0.now.committed.serial }
        while let ids = await watcher.news.next() {
            for id in ids { serials[id] = registry[id]?.committed.serial }
            replace(.serialShared, with: serials.groups.map(BridgeWarning.sharedSerial))
        }
    }

    /// Warns while settings cannot be saved.
    func followSaveFaults(of registry: PrinterRegistry, advice: String?) async {
        while let fault = await registry.saveFaults.next() {
            if let fault { warn(.storeFailed(fault.message, advice: advice)) } else { resolve([.storeFailed]) }
        }
    }
}
