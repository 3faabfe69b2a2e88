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
        let watch = Task {
            var first: UnixSignal?
            for await signal in signals {
                first = first ?? signal
                task.cancel()
            }
            return first
        }
        let result = await task.result
        watch.cancel()
        let codes: [UnixSignal: CommandFailure.Code] = [.sigint: .interrupted, .sigterm: .terminated]
        if let signal = await watch.value {
            throw CommandFailure(codes[signal] ?? .hangup, "interrupted")
        }
        return try result.get()
    }
}
