import Synchronization

/// Passes connection events to any number of listeners; each gets the last event first.
final class ConnectionEventHub: Sendable {
    private struct State {
        var last: MQTTConnectionEvent?
        var listeners: [AsyncStream<MQTTConnectionEvent>.Continuation] = []
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A new listener, told of the last event and all later ones; the 16 newest are kept for it.
    func stream() -> AsyncStream<MQTTConnectionEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { listener in
            state.withLock { state in
                if let last = state.last { listener.yield(last) }
                if state.isFinished { listener.finish() } else { state.listeners.append(listener) }
            }
        }
    }

    /// A run begins: listeners from now on are kept until it ends.
    func open() { state.withLock { $0.isFinished = false } }

    func send(_ event: MQTTConnectionEvent) {
        state.withLock { state in
            state.last = event
            state.listeners.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
        }
    }

    /// The run has ended: no event follows.
    func finish() {
        state.withLock { state in
            state.isFinished = true
            for listener in state.listeners { listener.finish() }
            state.listeners = []
        }
    }
}
