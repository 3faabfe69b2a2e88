import Synchronization

/// Wakes one task that waits: after some time, or earlier by a signal; one before the wait is not lost.
///
/// Not a stream: its reader stays on its actor and needs one job for each signal.
package final class Wakeup: Sendable {
    private enum State {
        case idle
        case signalled
        case waiting(CheckedContinuation<Bool, Never>)
    }

    private let state = Mutex(State.idle)

    package init() {}

    /// Wakes the task that waits, or else the next one that does; signals that come before that are one.
    package func signal() {
        state.withLock { state in
            guard case .waiting(let reader) = state else { return state = .signalled }
            state = .idle
            reader.resume(returning: true)
        }
    }

    /// Waits for a signal; false once its task is cancelled.
    ///
    /// Of two tasks that wait at a time, the earlier one is woken.
    package func next() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                state.withLock { state in
                    switch state {
                    case _ where Task.isCancelled: reader.resume(returning: false)
                    case .signalled:
                        state = .idle
                        reader.resume(returning: true)
                    case .idle: state = .waiting(reader)
                    case .waiting(let earlier):
                        state = .waiting(reader)
                        earlier.resume(returning: true)
                    }
                }
            }
        } onCancel: {
            state.withLock { state in
                guard case .waiting(let reader) = state else { return }
                state = .idle
                reader.resume(returning: false)
            }
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
