import DequeModule

/// The messages that wait for their turn and those that wait for the broker's answer, each with the promise made to
/// its publisher.
///
/// Whoever takes a promise out settles it: no promise comes out twice.
struct PublishQueue<Promise: Sendable>: Sendable {
    struct Waiting {
        let ticket: UInt64
        let message: MQTTMessage
        var promise: Promise?
    }

    private struct Flight {
        let ticket: UInt64
        let qos: MQTTQoS
        /// Nil once the publisher gave up; the answer is still due.
        var promise: Promise?

        /// Whether it outlives the connection in the session.
        var isDurable: Bool { qos > .atMostOnce }
    }

    enum Admission {
        case taken
        /// It took the place of another, whose promise is the caller's now.
        case replaced(Promise)
        /// The promise stays with the caller.
        case full
    }

    /// How many messages may wait for an answer.
    var window: Int
    private let limit: Int
    private let policy: MQTTQueuePolicy
    private var waiting: Deque<Waiting> = []
    private var flights: [UInt16: Flight] = [:]
    private var abandoned = 0

    init(limit: Int, window: Int, policy: MQTTQueuePolicy = .fail) {
        self.limit = max(1, limit)
        self.policy = policy
        self.window = max(1, window)
    }

    var isEmpty: Bool { waitingCount == 0 && flights.isEmpty }
    var waitingCount: Int { waiting.count - abandoned }
    var inFlightCount: Int { flights.count }
    /// The packet identifiers of what waits for an answer.
    var unanswered: some Sequence<UInt16> { flights.keys }
    /// Those that the broker may hold until it is told to release them.
    var unreleased: [UInt16] { flights.filter { $0.value.qos == .exactlyOnce }.map(\.key) }

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

    /// The next message that may be sent now; it is the caller's until ``sent(_:as:)``.
    mutating func next() -> Waiting? {
        guard flights.count < window else { return nil }
        while let item = waiting.popFirst() {
            if item.promise != nil { return item }
            abandoned -= 1
        }
        return nil
    }

    /// The library took the message under this packet identifier.
    ///
    /// Returns the promise of an older message that was still unanswered under the same identifier after all others
    /// were used: no answer can be told apart any more.
    mutating func sent(_ item: Waiting, as id: UInt16) -> Promise? {
        let flight = Flight(ticket: item.ticket, qos: item.message.qos, promise: item.promise)
        return flights.updateValue(flight, forKey: id)?.promise
    }

    /// The broker answered.
    ///
    /// Nil if nobody waits for it.
    mutating func answered(_ id: UInt16) -> Promise? {
        flights.removeValue(forKey: id)?.promise
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
        guard let id = flights.first(where: { $0.value.ticket == ticket })?.key else { return nil }
        defer { flights[id]?.promise = nil }
        return flights[id]?.promise
    }

    /// Removes what ends with the connection: what is in flight, unless the session lives on and has it, and what was not
    /// sent, unless it is to wait for the next one.
    mutating func connectionEnded(keepsSession: Bool, keepsWaiting: Bool) -> [Promise] {
        let flying = keepsSession ? flights.filter(\.value.isDurable) : [:]
        let waiting = keepsWaiting ? waiting.filter { $0.promise != nil } : []
        flights = flights.filter { flying[$0.key] == nil }
        if keepsWaiting { self.waiting = [] }
        defer { (flights, self.waiting) = (flying, Deque(waiting)) }
        return removeAll()
    }

    /// Empties the queue; what comes out is to be failed, in the order of the calls.
    mutating func removeAll() -> [Promise] {
        let flying = flights.values.sorted { $0.ticket < $1.ticket }.compactMap(\.promise)
        let others = waiting.compactMap(\.promise)
        (waiting, flights, abandoned) = ([], [:], 0)
        return flying + others
    }
}
