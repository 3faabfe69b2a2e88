import Logging
import Synchronization

/// The warnings that hold now: every part of the bridge adds and removes them, and the publisher reads them.
final class WarningBoard: Sendable {
    /// Yields when warnings came or went.
    let wakes: AsyncStream<Void>

    private let wake: AsyncStream<Void>.Continuation
    private let warnings: Mutex<WarningList>
    private let logger: Logger

    /// Begins with warnings that hold from the start, and logs them.
    init(_ warnings: WarningList, logger: Logger) {
        self.warnings = Mutex(warnings)
        self.logger = logger
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        for warning in warnings.sorted { log(warning) }
    }

    /// The warnings that hold now.
    var list: WarningList { warnings.withLock(\.self) }

    /// Adds a warning, and logs it if it is new.
    func warn(_ warning: BridgeWarning) {
        guard warnings.withLock({ $0.insert(warning) }) else { return }
        log(warning)
        wake.yield()
    }

    /// Puts other warnings in place of those of a kind, and logs the new ones.
    func replace(_ code: BridgeWarning.Code, with others: [BridgeWarning]) {
        let (before, after) = warnings.withLock { warnings in
            let before = warnings.sorted
            warnings.replace(code, with: others)
            return (before, warnings.sorted)
        }
        for warning in after where !before.contains(warning) { log(warning) }
        if after != before { wake.yield() }
    }

    /// Removes the warnings of some kinds: what they are about is over.
    func resolve(_ codes: Set<BridgeWarning.Code>) {
        if warnings.withLock({ $0.remove(codes) }) { wake.yield() }
    }

    private func log(_ warning: BridgeWarning) {
        logger.warning("\(warning.message)", metadata: ["code": "\(warning.code.rawValue)"])
    }
}
