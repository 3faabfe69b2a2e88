import DequeModule

/// The messages of one connection that wait for a place in flight, or for the broker's acknowledgement.
///
/// Each has a promise, by which its publisher is answered. The queue returns a promise once; the caller resumes it.
struct PublishQueue<Promise: Sendable>: Sendable {
    struct Waiting: Sendable {
        let ticket: UInt64
        let message: MQTTMessage
        let promise: Promise
    }

    private struct InFlight {
        let ticket: UInt64
        /// Nil once the publisher gave up; the broker still has to answer.
        var promise: Promise?
        let since: ContinuousClock.Instant
    }

    /// How many messages may wait.
    private let limit: Int
    /// How many may be unacknowledged.
    private let window: Int
    private var waiting: Deque<Waiting> = []
    private var inFlight: [UInt16: InFlight] = [:]
    /// Packet identifiers in the order of sending; some were answered meanwhile.
    private var order: Deque<UInt16> = []

    init(limit: Int, window: Int) { (self.limit, self.window) = (limit, window) }

    var hasPublishers: Bool { !waiting.isEmpty || inFlight.values.contains { $0.promise != nil } }

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

    /// The next message that may be sent; nil if none waits, or no place in flight is free.
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

    /// The promises of all messages, oldest first.
    var promises: [Promise] { order.compactMap { inFlight[$0]?.promise } + waiting.map(\.promise) }
}
