import Synchronization

/// Runs `body`, and gives up on it after a time, whether or not it hears of its cancellation.
func withDeadline(_ deadline: Duration, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let first = FirstResult()
    let work = Task {
        do {
            try await body()
            first.settle(.success(()))
        } catch {
            first.settle(.failure(error))
        }
    }
    let watch = Task {
        try await Task.sleep(for: deadline)
        first.settle(.failure(RequirementFailure("it was not done within \(deadline)")))
    }
    defer {
        work.cancel()
        watch.cancel()
    }
    try await first.value()
}

/// Takes the first of several results, for one who waits.
private final class FirstResult: Sendable {
    private struct State {
        var result: Result<Void, any Error>?
        var waiter: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    func settle(_ result: Result<Void, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: result)
    }

    func value() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
