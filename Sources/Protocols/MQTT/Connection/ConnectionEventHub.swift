import Synchronization

/// Passes connection events to any number of listeners; each gets the last event first.
final class ConnectionEventHub: Sendable {
    private struct State {
        var last: MQTTConnectionEvent?
        var listeners: [UInt64: AsyncStream<MQTTConnectionEvent>.Continuation] = [:]
        var nextID: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A new listener, told of the last event and all later ones; the 16 newest are kept for it.
    func stream() -> AsyncStream<MQTTConnectionEvent> {
        let (stream, continuation) = AsyncStream<MQTTConnectionEvent>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let id = state.withLock { state -> UInt64 in
            state.nextID += 1
            if let last = state.last { continuation.yield(last) }
            if state.isFinished {
                continuation.finish()
            } else {
                state.listeners[state.nextID] = continuation
            }
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[id] = nil } }
        return stream
    }

    /// A run begins: listeners from now on are kept until it ends.
    func open() { state.withLock { $0.isFinished = false } }

    func send(_ event: MQTTConnectionEvent) {
        // Yielded outside the lock; all sends come from the connection's own executor, so order is kept.
        let listeners = state.withLock { state in
            state.last = event
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(event) }
    }

    /// The run has ended: no event follows.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
