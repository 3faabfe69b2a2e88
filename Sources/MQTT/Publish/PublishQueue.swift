import DequeModule

/// The messages that wait for their turn, those that are being written and those that wait for the broker's answer, each
/// with the promise made to its publisher.
///
/// Whoever takes a promise out settles it: no promise comes out twice.
struct PublishQueue<Promise: Sendable>: Sendable {
    private struct Waiting {
        let ticket: UInt64
        let message: MQTTMessage
        /// Nil once the publisher gave up.
        var promise: Promise?
    }

    enum Admission {
        case taken
        /// It took the place of another, whose promise is the caller's now.
        case replaced(Promise)
        /// The promise stays with the caller.
        case full
    }

    private let limit: Int
    private let policy: MQTTQueuePolicy
    private var waiting: Deque<Waiting> = []
    private var abandoned = 0
    /// Messages of QoS 0 that are not with the system yet.
    private var unwritten: [(ticket: UInt64, promise: Promise)] = []
    private var session: OutboundSession<Promise>

    init(limit: Int, window: Int, policy: MQTTQueuePolicy = .fail) {
        self.limit = max(1, limit)
        self.policy = policy
        session = OutboundSession(window: window)
    }

    var isEmpty: Bool { waitingCount == 0 && unwritten.isEmpty && session.count == 0 }
    var waitingCount: Int { waiting.count - abandoned }
    /// How many messages wait for an answer.
    var inFlightCount: Int { session.count }

    mutating func enqueue(_ ticket: UInt64, _ message: MQTTMessage, _ promise: Promise) -> Admission {
        let item = Waiting(ticket: ticket, message: message, promise: promise)
        if policy == .newestPerTopic,
            let index = waiting.firstIndex(where: { $0.promise != nil && $0.message.topic == message.topic }),
            let replaced = waiting[index].promise
        {
            waiting[index] = item
            return .replaced(replaced)
        }
        guard policy == .suspend || waitingCount < limit else { return .full }
        waiting.append(item)
        return .taken
    }

    /// What is to be sent now.
    mutating func next() -> OutboundStep? {
        if let step = session.next() { return step }
        while session.hasRoom, let item = waiting.popFirst() {
            guard let promise = item.promise else {
                abandoned -= 1
                continue
            }
            guard item.message.qos > .atMostOnce else {
                unwritten.append((item.ticket, promise))
                return .publish(item.message, 0, isRepetition: false)
            }
            let identifier = session.send(item.message, item.ticket, promise)
            return .publish(item.message, identifier, isRepetition: false)
        }
        return nil
    }

    /// Everything that came out of ``next()`` is with the system: of QoS 0, no more will be heard.
    mutating func written() -> [Promise] {
        guard !unwritten.isEmpty else { return [] }
        defer { unwritten = [] }
        return unwritten.map(\.promise)
    }

    /// The broker answered with PUBACK, PUBREC or PUBCOMP.
    mutating func answered(
        _ type: PacketType,
        _ identifier: UInt16,
        _ reason: MQTTReasonCode
    ) throws(ProtocolViolation) -> OutboundSession<Promise>.Answer {
        try session.answered(type, identifier, reason)
    }

    /// The publisher gave up.
    ///
    /// Nil if it was answered already.
    mutating func abandon(_ ticket: UInt64) -> Promise? {
        if let index = waiting.firstIndex(where: { $0.ticket == ticket }) {
            guard let promise = waiting[index].promise else { return nil }
            waiting[index].promise = nil
            abandoned += 1
            return promise
        }
        if let index = unwritten.firstIndex(where: { $0.ticket == ticket }) {
            return unwritten.remove(at: index).promise
        }
        return session.abandon(ticket)
    }

    /// A new connection stands, on which so many messages may be in flight; returns what cannot be sent on it.
    mutating func connected(
        isResumed: Bool,
        window: Int,
        refusal: (MQTTMessage) -> MQTTError?
    ) -> [(promise: Promise, error: MQTTError)] {
        session.window = window
        var failed: [(promise: Promise, error: MQTTError)] = []
        if isResumed {
            let error = MQTTError(.connectionLost, "The broker takes less than before, and may not have the message.")
            failed += session.resume { refusal($0) != nil }.map { ($0, error) }
        } else {
            let error = MQTTError(.connectionLost, "The broker has lost the session with the message.")
            failed += session.removeAll().map { ($0, error) }
        }
        waiting.removeAll { item in
            guard let promise = item.promise, let error = refusal(item.message) else { return false }
            failed.append((promise, error))
            return true
        }
        return failed
    }

    /// Removes what ends with the connection: what is in flight, unless the session lives on and has it, and what was not
    /// sent, unless it is to wait for the next one.
    mutating func connectionEnded(keepsSession: Bool, keepsWaiting: Bool) -> [Promise] {
        (keepsSession ? [] : session.removeAll()) + written() + (keepsWaiting ? [] : removeWaiting())
    }

    /// Empties the queue; what comes out is to be failed.
    mutating func removeAll() -> [Promise] { session.removeAll() + written() + removeWaiting() }

    private mutating func removeWaiting() -> [Promise] {
        defer { (waiting, abandoned) = ([], 0) }
        return waiting.compactMap(\.promise)
    }
}
