import Concurrency
import DequeModule
import Synchronization

/// Where a subscription's messages wait for its reader.
final class SubscriptionMailbox: Sendable {
    private struct State {
        var messages: Deque<MQTTMessage> = []
        var dropped = 0
        var end: Result<Void, MQTTError>?
        /// Whether the reader has not handled all messages.
        var isHolding = false
        /// Whether a reader waits for a message.
        var isAwaited = false
    }

    let buffer: MQTTBuffer
    private let onHandled: @Sendable () -> Void
    private let state = Mutex(State())
    private let wakeup = Wakeup()

    /// Calls `onHandled` when the reader of an ``MQTTBuffer/acknowledgedByReader`` has handled all messages.
    init(_ buffer: MQTTBuffer, onHandled: @escaping @Sendable () -> Void = {}) {
        self.buffer = buffer
        self.onHandled = onHandled
    }

    /// How many messages were thrown away because the reader was too slow.
    var dropped: Int { state.withLock { $0.dropped } }

    /// Whether acknowledgements have to wait for the reader.
    var isHolding: Bool { state.withLock { $0.isHolding } }

    /// Adds a message, without waking the reader.
    func append(_ message: MQTTMessage) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.messages.append(message)
            switch buffer {
            case .acknowledgedByReader: state.isHolding = true
            case .newest(let limit):
                guard state.messages.count > max(1, limit) else { return }
                state.messages.removeFirst()
                state.dropped += 1
            }
        }
    }

    func wake() { wakeup.signal() }

    /// Drops unhandled messages: the broker sends them again on the next connection of the session.
    func forgetUnhandled() {
        state.withLock { state in
            if state.isHolding { (state.messages, state.isHolding) = ([], false) }
        }
    }

    /// Ends the sequence, after the messages that wait already; the first end counts.
    func finish(_ end: Result<Void, MQTTError>) {
        state.withLock { $0.end = $0.end ?? end }
        wake()
    }

    /// The next messages, at most so many; nil at the end, and when the task is cancelled.
    ///
    /// A reader that asks for more has handled the messages before.
    func next(_ limit: Int) async throws(MQTTError) -> [MQTTMessage]? {
        while true {
            let (found, isHandled) = take(limit)
            if isHandled { onHandled() }
            switch found {
            case .success([])?: break
            case .success(let messages)?: return messages
            case .failure(let error)?: throw error
            case nil: return nil
            }
            let isWoken = await wakeup.next()
            state.withLock { $0.isAwaited = false }
            guard isWoken else { return nil }
        }
    }

    /// Messages, empty if none has arrived, nil at the end; and whether the reader has now handled all before.
    private func take(_ limit: Int) -> (Result<[MQTTMessage], MQTTError>?, isHandled: Bool) {
        state.withLock { state in
            guard state.messages.isEmpty else {
                let messages = Array(state.messages.prefix(limit))
                state.messages.removeFirst(messages.count)
                return (.success(messages), false)
            }
            defer { state.isHolding = false }
            switch state.end {
            case nil:
                precondition(!state.isAwaited, "a subscription has one reader at a time")
                state.isAwaited = true
                return (.success([]), state.isHolding)
            case .success?: return (nil, state.isHolding)
            case .failure(let error)?: return (.failure(error), state.isHolding)
            }
        }
    }
}
