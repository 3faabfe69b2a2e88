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

    func warn(_ warning: BridgeWarning) {
        guard warnings.withLock({ $0.insert(warning) }) else { return }
        log(warning)
        wakeup.signal()
    }

    /// Puts other warnings in place of those of a kind, and logs the new ones.
    func replace(_ code: BridgeWarning.Code, with others: [BridgeWarning]) {
        let (before, after) = warnings.withLock { warnings in
            let before = warnings.sorted
            warnings.replace(code, with: others)
            return (before, warnings.sorted)
        }
        for warning in after where !before.contains(warning) { log(warning) }
        if after != before { wakeup.signal() }
    }

    /// Removes the warnings of some kinds: what they are about is over.
    func resolve(_ codes: Set<BridgeWarning.Code>) {
        if warnings.withLock({ $0.remove(codes) }) { wakeup.signal() }
    }

    private func log(_ warning: BridgeWarning) {
        logger.warning("Warning", metadata: ["code": "\(warning.code.rawValue)", "message": "\(warning.message)"])
    }

    /// Warns while settings cannot be saved, until it is cancelled.
    func warnOfSaveFaults(of registry: PrinterRegistry) async {
        for await fault in registry.saveFaults {
            if let fault { warn(.storeFailed(fault.message)) } else { resolve([.storeFailed]) }
        }
    }
}
