import DequeModule

/// The messages that wait for a place in flight and those that the broker has not acknowledged, each with the promise
/// made to its publisher.
///
/// A promise comes out once; the caller resumes it.
struct PublishQueue<Promise: Sendable>: Sendable {
    struct Waiting: Sendable {
        let ticket: UInt64
        let message: MQTTMessage
        let promise: Promise
    }

    private struct InFlight {
        let ticket: UInt64
        /// Nil once the publisher gave up; the answer is still due.
        var promise: Promise?
        let since: ContinuousClock.Instant
    }

    /// How many messages may wait.
    private let limit: Int
    /// How many may be unacknowledged.
    private var window = 0
    private var waiting: Deque<Waiting> = []
    private var inFlight: [UInt16: InFlight] = [:]
    /// Packet identifiers in the order of sending, with those that were answered meanwhile.
    private var order: Deque<UInt16> = []

    init(limit: Int) { self.limit = limit }

    /// Whether a publisher waits for the end of its message.
    var hasPublishers: Bool { !waiting.isEmpty || inFlight.values.contains { $0.promise != nil } }

    /// Whether a message may be sent now.
    var hasNext: Bool { !waiting.isEmpty && inFlight.count < window }

    /// When the oldest unacknowledged message was sent.
    var oldest: ContinuousClock.Instant? {
        mutating get {
            while let first = order.first {
                if let item = inFlight[first] { return item.since }
                order.removeFirst()
            }
            return nil
        }
    }

    /// Adds a message; false if the queue is full.
    mutating func append(_ item: Waiting) -> Bool {
        guard waiting.count < limit else { return false }
        waiting.append(item)
        return true
    }

    /// The next message that may be sent; nil if there is none, or as many are in flight as may be.
    mutating func next() -> Waiting? { hasNext ? waiting.popFirst() : nil }

    /// A message was sent under a packet identifier.
    mutating func sent(_ item: Waiting, as identifier: UInt16, at now: ContinuousClock.Instant) {
        inFlight[identifier] = InFlight(ticket: item.ticket, promise: item.promise, since: now)
        order.append(identifier)
    }

    /// The broker acknowledged or refused a message.
    mutating func acknowledged(_ identifier: UInt16) -> Promise? {
        if order.first == identifier { order.removeFirst() }
        return inFlight.removeValue(forKey: identifier)?.promise
    }

    /// The publisher gave up; nil if it was answered already.
    mutating func abandon(_ ticket: UInt64) -> Promise? {
        if let index = waiting.firstIndex(where: { $0.ticket == ticket }) {
            return waiting.remove(at: index).promise
        }
        guard let identifier = inFlight.first(where: { $0.value.ticket == ticket })?.key else { return nil }
        defer { inFlight[identifier]?.promise = nil }
        return inFlight[identifier]?.promise
    }

    /// A connection stands, on which so many messages may be unacknowledged.
    mutating func connected(window: Int) { self.window = window }

    /// The connection ended: no message will be answered.
    mutating func disconnected() -> [Promise] {
        defer { (window, inFlight, order, waiting) = (0, [:], [], []) }
        return order.compactMap { inFlight[$0]?.promise } + waiting.map(\.promise)
    }
}
