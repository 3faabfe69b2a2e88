import Synchronization

/// Something that happens once, and one task that may wait for it.
final class Wakeup: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Void, Never>)
        case fired
    }

    private let state = Mutex(State.open)

    /// It happened; more than once is as good as once.
    func fire() {
        let waiter = state.withLock { state in
            defer { state = .fired }
            return if case .awaited(let waiter) = state { waiter } else { nil as CheckedContinuation<Void, Never>? }
        }
        waiter?.resume()
    }

    /// Returns as soon as it happened, or the task was cancelled, which counts as the same.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasFired = state.withLock { state in
                    if case .fired = state { return true }
                    state = .awaited(continuation)
                    return false
                }
                if hasFired { continuation.resume() }
            }
        } onCancel: {
            fire()
        }
    }
}
