import Synchronization
import UnixSignals

/// A command that holds a printer's stream gives it back before it ends, also after a signal.
enum Interruption {
    /// Runs `work` as a task that SIGINT, SIGTERM and SIGHUP cancel, and waits for its end; throws if one of them came.
    static func cancelling<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        // Before the work: from its first moment on no signal ends the process.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let task = Task { try await work() }
        let first = Mutex<UnixSignal?>(nil)
        let watch = Task {
            for await signal in signals {
                first.withLock { $0 = $0 ?? signal }
                task.cancel()
            }
        }
        defer { watch.cancel() }
        let result = await task.result
        let code: CommandFailure.Code? =
            switch first.withLock(\.self) {
            case .sigint?: .interrupted
            case .sigterm?: .terminated
            case .some: .hangup
            case nil: nil
            }
        if let code { throw CommandFailure(code, "interrupted, and all streams given back") }
        return try result.get()
    }
}
