import Synchronization

/// Lets a few callers work at once; the others wait for a place, in their order.
package final class WorkPlaces: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    package init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Runs `body` in a place.
    ///
    /// A caller that is cancelled while it waits keeps its turn, and `body` learns of it.
    package func use<Result, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                defer { state.free = max(state.free - 1, 0) }
                if state.free == 0 { state.waiting.append(continuation) }
                return state.free > 0
            }
            if isFree { continuation.resume() }
        }
        defer {
            let next = state.withLock { state in
                if state.waiting.isEmpty { state.free += 1 }
                return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
            next?.resume()
        }
        return try await body()
    }
}
