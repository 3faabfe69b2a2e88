import Synchronization

/// Lets so many in at once, and the others one by one as places become free.
package final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// One with so many places; without a number, everybody may enter until it is closed.
    package init(places: Int = .max) { state = Mutex(State(free: places)) }

    package var waiting: Int { state.withLock(\.waiting.count) }

    /// Waits for a place, and takes it.
    package func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                if state.free < .max { state.free -= 1 }
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives a place to the task that has waited longest.
    package func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            if state.free < .max { state.free += 1 }
            return nil
        }
        next?.resume()
    }

    /// Lets no task in any more, and no cancelled one either.
    package func close() { state.withLock { $0.free = 0 } }

    /// Lets everybody in, and all who wait.
    package func open() {
        let waiting = state.withLock { state in
            state.free = .max
            defer { state.waiting = [] }
            return state.waiting
        }
        for caller in waiting { caller.resume() }
    }
}
