import Synchronization

/// Passes connection events to any number of listeners; each gets the last event first.
final class ConnectionEventHub: Sendable {
    private struct State {
        var last: MQTTConnectionEvent?
        var listeners: Set<AsyncStream<MQTTConnectionEvent>.Continuation> = []
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A new listener, told of the last event and all later ones; the 16 newest are kept for it.
    func stream() -> AsyncStream<MQTTConnectionEvent> {
        let (stream, listener) = AsyncStream<MQTTConnectionEvent>.makeStream(bufferingPolicy: .bufferingNewest(16))
        state.withLock { state in
            if let last = state.last { listener.yield(last) }
            if state.isFinished { listener.finish() } else { state.listeners.insert(listener) }
        }
        listener.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.listeners.remove(listener) } }
        return stream
    }

    /// A run begins: listeners from now on are kept until it ends.
    func open() { state.withLock { $0.isFinished = false } }

    func send(_ event: MQTTConnectionEvent) {
        // Yielded outside the lock; all sends come from the connection's own executor, so order is kept.
        let listeners = state.withLock { state in
            state.last = event
            return state.listeners
        }
        for listener in listeners { listener.yield(event) }
    }

    /// The run has ended: no event follows.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return state.listeners
        }
        for listener in listeners { listener.finish() }
    }
}
