import Synchronization

/// Wakes one waiting task, after some time or earlier by a signal; a signal before the wait is kept.
///
/// Not a stream: the waiting task stays on its actor, and needs one job for each signal.
public final class Wakeup: Sendable {
    private typealias Reader = CheckedContinuation<Bool, Never>

    private enum State {
        case idle
        case signalled
        case waiting(Reader, wait: Int)

        /// The task that waits, which the caller resumes.
        mutating func takeReader() -> Reader? {
            guard case .waiting(let reader, _) = self else { return nil }
            self = .idle
            return reader
        }
    }

    /// Readers are resumed outside of the lock: `onCancel` runs with the task locked, and resuming locks the task.
    private let state = Mutex(State.idle)
    private let waits = Atomic(0)

    /// Without a signal.
    public init() {}

    /// Wakes the waiting task; if none waits, the next wait ends at once, and several such signals count as one.
    public func signal() {
        let reader = state.withLock { state in
            let reader = state.takeReader()
            if reader == nil { state = .signalled }
            return reader
        }
        reader?.resume(returning: true)
    }

    /// Waits for a signal; false once its task is cancelled.
    ///
    /// Of two tasks that wait at a time, the earlier one is woken.
    public func next() async -> Bool {
        let wait = waits.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let (ready, result): (Reader?, Bool) = state.withLock { state in
                    if Task.isCancelled { return (reader, false) }
                    if case .signalled = state {
                        state = .idle
                        return (reader, true)
                    }
                    let earlier = state.takeReader()
                    state = .waiting(reader, wait: wait)
                    return (earlier, true)
                }
                ready?.resume(returning: result)
            }
        } onCancel: {
            let reader: Reader? = state.withLock { state in
                // A task may be cancelled after its signal, while another task waits.
                guard case .waiting(_, wait) = state else { return nil }
                return state.takeReader()
            }
            reader?.resume(returning: false)
        }
    }

    /// Waits for a signal, or for some seconds, or until its task is cancelled.
    package func wait(seconds: Double?) async {
        let timer = seconds.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                signal()
            }
        }
        _ = await next()
        timer?.cancel()
    }
}
