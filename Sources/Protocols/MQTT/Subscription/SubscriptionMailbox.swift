import DequeModule
import Synchronization

/// Where a subscription's messages wait for its reader.
final class SubscriptionMailbox: Sendable {
    private struct State {
        var messages: Deque<MQTTMessage> = []
        var dropped = 0
        var end: Result<Void, MQTTError>?
        var waiters: [(id: UInt64, waiter: CheckedContinuation<Void, Never>)] = []
        var lastID: UInt64 = 0
        /// Whether messages are here, or with the reader, that it has not handled.
        var isHolding = false

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters.map(\.waiter)
        }
    }

    let buffer: MQTTBuffer
    private let onHandled: @Sendable () -> Void
    private let state = Mutex(State())

    /// `onHandled` is called when the reader of a subscription that acknowledges messages itself has handled all of them.
    init(_ buffer: MQTTBuffer, onHandled: @escaping @Sendable () -> Void = {}) {
        self.buffer = buffer
        self.onHandled = onHandled
    }

    /// How many messages were thrown away because the reader was too slow.
    var dropped: Int { state.withLock { $0.dropped } }

    /// Whether the broker must not be told yet that the messages have arrived.
    var isHolding: Bool { state.withLock { $0.isHolding } }

    /// Adds a message; ``wake()`` tells the reader.
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

    /// Lets the reader take what is here.
    func wake() { for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() } }

    /// Messages that the reader has not taken come again on the next connection of the session.
    func forgetUnhandled() {
        state.withLock { state in
            if state.isHolding { (state.messages, state.isHolding) = ([], false) }
        }
    }

    /// Ends the sequence, after the messages that wait already; the first end counts.
    func finish(_ end: Result<Void, MQTTError>) {
        let waiters = state.withLock { state in
            state.end = state.end ?? end
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The next messages, at most so many; nil at the end, and when the task is cancelled.
    ///
    /// To ask for more is to have handled what came before.
    func next(_ limit: Int, isolation: isolated (any Actor)?) async throws(MQTTError) -> [MQTTMessage]? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        while true {
            let (found, isHandled) = take(limit)
            if isHandled { onHandled() }
            switch found {
            case .success([])?: break
            case .success(let messages)?: return messages
            case .failure(let error)?: throw error
            case nil: return nil
            }
            if Task.isCancelled { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation(isolation: isolation) { waiter in
                    let waits = state.withLock { state in
                        guard state.messages.isEmpty, state.end == nil, !Task.isCancelled else { return false }
                        state.waiters.append((id, waiter))
                        return true
                    }
                    if !waits { waiter.resume() }
                }
            } onCancel: {
                let waiter = state.withLock { state in
                    state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).waiter }
                }
                waiter?.resume()
            }
        }
    }

    /// What there is: messages, none of them yet (empty), or the end (nil); and whether all before was handled now.
    private func take(_ limit: Int) -> (Result<[MQTTMessage], MQTTError>?, isHandled: Bool) {
        state.withLock { state in
            guard state.messages.isEmpty else {
                let messages = Array(state.messages.prefix(limit))
                state.messages.removeFirst(messages.count)
                return (.success(messages), false)
            }
            defer { state.isHolding = false }
            switch state.end {
            case nil: return (.success([]), state.isHolding)
            case .success?: return (nil, state.isHolding)
            case .failure(let error)?: return (.failure(error), state.isHolding)
            }
        }
    }
}
