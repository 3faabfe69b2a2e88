import Synchronization

/// One question to a remote store, whose asker can give up at any time.
///
/// A remote store that hangs and does not heed its cancellation holds up nothing but its own task.
final class RemoteCall<Answer: Sendable>: Sendable {
    private enum State {
        case asked
        case waiting(CheckedContinuation<Answer, any Error>)
        case ended(Result<Answer, any Error>)
        case over
    }

    private let state = Mutex(State.asked)

    /// Asks, and waits for the answer, the end of the time, a cancellation or ``end(_:)``, whichever comes first.
    ///
    /// - Parameters:
    ///   - time: How long to wait.
    ///   - late: Called when the call ends after it was given up.
    ///   - body: Asks.
    /// - Returns: The answer.
    /// - Throws: What `body` throws, or why it was given up.
    func answer(
        within time: Duration,
        late: @escaping @Sendable () async -> Void,
        _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let call = Task {
            let result: Result<Answer, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            if !end(result) { await late() }
        }
        let timer = Task {
            try await Task.sleep(for: time)
            end(.failure(SyncError(.timedOut, "did not answer within \(time)")))
        }
        defer {
            timer.cancel()
            call.cancel()
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation(wait)
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// Ends the call with a result; false when it had ended before.
    @discardableResult
    func end(_ result: Result<Answer, any Error>) -> Bool {
        let (waiter, isFirst) = state.withLock { state -> (CheckedContinuation<Answer, any Error>?, Bool) in
            switch state {
            case .asked:
                state = .ended(result)
                return (nil, true)
            case .waiting(let waiter):
                state = .over
                return (waiter, true)
            case .ended, .over: return (nil, false)
            }
        }
        waiter?.resume(with: result)
        return isFirst
    }

    private func wait(_ waiter: CheckedContinuation<Answer, any Error>) {
        let result = state.withLock { state -> Result<Answer, any Error>? in
            guard case .ended(let result) = state else {
                state = .waiting(waiter)
                return nil
            }
            state = .over
            return result
        }
        if let result { waiter.resume(with: result) }
    }
}
