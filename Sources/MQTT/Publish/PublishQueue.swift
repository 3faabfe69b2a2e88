import DequeModule

/// The messages that wait for their turn, those that are being written and those that wait for the broker's answer, each
/// with the promise made to its publisher.
///
/// Whoever takes a promise out settles it: no promise comes out twice.
struct PublishQueue<Promise: Sendable>: Sendable {
    private struct Waiting {
        let ticket: UInt64
        let message: MQTTMessage
        let promise: Promise
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
    /// By their places: each is the ticket of the message that had it first.
    private var waiting: [UInt64: Waiting] = [:]
    /// The places; those of publishers who gave up are empty.
    private var order: Deque<UInt64> = []
    /// The places of messages that took that of another.
    private var inherited: [UInt64: UInt64] = [:]
    /// Messages of QoS 0 that are not with the system yet.
    private var unwritten: [(ticket: UInt64, promise: Promise)] = []
    private var session: OutboundSession<Promise>

    init(limit: Int, session: OutboundSession<Promise>, policy: MQTTQueuePolicy = .fail) {
        self.limit = max(1, limit)
        self.policy = policy
        self.session = session
    }

    /// Whether somebody waits for the end of a message.
    var hasPublishers: Bool { !waiting.isEmpty || !unwritten.isEmpty || session.hasPublishers }
    var waitingCount: Int { waiting.count }

    mutating func enqueue(_ ticket: UInt64, _ message: MQTTMessage, _ promise: Promise) -> Admission {
        let item = Waiting(ticket: ticket, message: message, promise: promise)
        if policy == .newestPerTopic,
            let (place, older) = waiting.first(where: { $0.value.message.topic == message.topic })
        {
            inherited[older.ticket] = nil
            inherited[ticket] = place
            waiting[place] = item
            return .replaced(older.promise)
        }
        guard policy == .suspend || waiting.count < limit else { return .full }
        waiting[ticket] = item
        order.append(ticket)
        return .taken
    }

    /// What is to be sent now.
    mutating func next() -> OutboundStep? {
        if let step = session.next() { return step }
        while session.hasRoom, let place = order.popFirst() {
            guard let item = remove(from: place) else { continue }
            guard item.message.qos > .atMostOnce else {
                unwritten.append((item.ticket, item.promise))
                return .publish(item.message, 0, isRepetition: false)
            }
            let identifier = session.send(item.message, item.ticket, item.promise)
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
        let place = inherited[ticket] ?? ticket
        if waiting[place]?.ticket == ticket {
            defer { if order.count > 2 * waiting.count + 16 { order.removeAll { waiting[$0] == nil } } }
            return remove(from: place)?.promise
        }
        if let index = unwritten.firstIndex(where: { $0.ticket == ticket }) {
            return unwritten.remove(at: index).promise
        }
        return session.abandon(ticket)
    }

    /// An identifier that is not ours is in use, and those after it will be soon.
    mutating func avoid(_ identifier: UInt16) { session.avoid(identifier) }

    /// A new connection stands, on which so many messages may be in flight; returns what cannot be sent on it.
    mutating func connected(
        isResumed: Bool,
        window: Int,
        refusal: (MQTTMessage) -> MQTTError?
    ) -> [(promise: Promise, error: MQTTError)] {
        session.window = window
        session.avoid(0)
        var failed: [(promise: Promise, error: MQTTError)] = []
        if isResumed {
            let error = MQTTError(.connectionLost, "The broker takes less than before, and may not have the message.")
            failed += session.resume { refusal($0) != nil }.map { ($0, error) }
        } else {
            let error = MQTTError(.connectionLost, "The broker has lost the session with the message.")
            failed += session.removeAll().map { ($0, error) }
        }
        for place in order {
            guard let item = waiting[place], let error = refusal(item.message) else { continue }
            _ = remove(from: place)
            failed.append((item.promise, error))
        }
        return failed
    }

    /// Removes what ends with the connection: what is in flight, unless the session lives on and has it, and what was not
    /// sent, unless it is to wait for the next one.
    mutating func connectionEnded(keepsSession: Bool, keepsWaiting: Bool) -> [Promise] {
        (keepsSession ? [] : session.removeAll()) + written() + (keepsWaiting ? [] : removeWaiting())
    }

    /// Empties the queue; what comes out is to be failed.
    ///
    /// What the session has of it is completed when the session is taken up again, if that is to be.
    mutating func removeAll(keepsSession: Bool) -> [Promise] {
        (keepsSession ? session.abandonAll() : session.removeAll()) + written() + removeWaiting()
    }

    private mutating func remove(from place: UInt64) -> Waiting? {
        guard let item = waiting.removeValue(forKey: place) else { return nil }
        inherited[item.ticket] = nil
        return item
    }

    private mutating func removeWaiting() -> [Promise] {
        defer { (waiting, order, inherited) = ([:], [], [:]) }
        return order.compactMap { waiting[$0]?.promise }
    }
}
