import Metrics
import Synchronization

/// Where a subscription's messages wait for its reader.
final class SubscriptionMailbox: Sendable {
    private typealias Waiter = CheckedContinuation<Result<MQTTMessage?, MQTTError>, Never>

    private struct State {
        var buffer: MessageBuffer
        var end: Result<Void, MQTTError>?
        var waiters: [(id: UInt64, waiter: Waiter)] = []
        var nextID: UInt64 = 0
        /// Whether the connection was told to stop reading.
        var isFull = false
    }

    private let state: Mutex<State>

    private let droppedCounter: Counter?
    private let onRoom: @Sendable () -> Void

    /// `onRoom` is called when there is a place again after ``deliver(_:)`` found none.
    init(
        _ policy: MQTTBufferPolicy,
        dropped: Counter? = nil,
        onRoom: @escaping @Sendable () -> Void = {}
    ) {
        droppedCounter = dropped
        self.onRoom = onRoom
        state = Mutex(State(buffer: MessageBuffer(policy)))
    }

    var dropped: Int { state.withLock { $0.buffer.dropped } }

    /// False if nothing more should come until there is room.
    func deliver(_ message: MQTTMessage) -> Bool {
        let (waiter, isFull, isLossy) = state.withLock { state -> (Waiter?, Bool, Bool) in
            guard state.end == nil else { return (nil, false, false) }
            guard state.waiters.isEmpty else { return (state.waiters.removeFirst().waiter, false, false) }
            let dropped = state.buffer.dropped
            state.buffer.append(message)
            // Once full, until there is room: the connection waits to be told.
            state.isFull = state.isFull || state.buffer.isFull
            return (nil, state.buffer.isFull, state.buffer.dropped > dropped)
        }
        waiter?.resume(returning: .success(message))
        if isLossy { droppedCounter?.increment() }
        return !isFull
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
                var hasRoom = false
                let ready = state.withLock { state -> Result<MQTTMessage?, MQTTError>? in
                    if let message = state.buffer.popFirst() {
                        hasRoom = state.isFull && state.buffer.hasRoom
                        if hasRoom { state.isFull = false }
                        return .success(message)
                    }
                    if let end = state.end { return end.map { nil } }
                    if Task.isCancelled { return .success(nil) }
                    state.waiters.append((id, waiter))
                    return nil
                }
                if hasRoom { onRoom() }
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
