import Synchronization

/// Where a subscription's messages wait for its reader.
final class SubscriptionMailbox: Sendable {
    private typealias Waiter = CheckedContinuation<Result<MQTTMessage?, MQTTError>, Never>

    private struct State {
        var buffer: MessageBuffer
        var end: Result<Void, MQTTError>?
        var waiters: [(id: UInt64, waiter: Waiter)] = []
        var nextID: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ policy: MQTTBufferPolicy) {
        state = Mutex(State(buffer: MessageBuffer(policy)))
    }

    var dropped: Int { state.withLock { $0.buffer.dropped } }

    func deliver(_ message: MQTTMessage) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.end == nil else { return nil }
            guard state.waiters.isEmpty else { return state.waiters.removeFirst().waiter }
            state.buffer.append(message)
            return nil
        }
        waiter?.resume(returning: .success(message))
    }

    /// Ends the sequence; what waits already is still read.
    ///
    /// The first end counts.
    func finish(_ end: Result<Void, MQTTError>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.end == nil else { return [] }
            state.end = end
            defer { state.waiters = [] }
            return state.waiters.map(\.waiter)
        }
        for waiter in waiters { waiter.resume(returning: end.map { nil }) }
    }

    /// The next message; nil at the end, and when the task is cancelled.
    func next(isolation: isolated (any Actor)?) async throws(MQTTError) -> MQTTMessage? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { (waiter: Waiter) in
                let ready = state.withLock { state -> Result<MQTTMessage?, MQTTError>? in
                    if let message = state.buffer.popFirst() { return .success(message) }
                    if let end = state.end { return end.map { nil } }
                    if Task.isCancelled { return .success(nil) }
                    state.waiters.append((id, waiter))
                    return nil
                }
                if let ready { waiter.resume(returning: ready) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).waiter }
            }
            waiter?.resume(returning: .success(nil))
        }
        return try result.get()
    }
}
