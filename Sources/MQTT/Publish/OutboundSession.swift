import DequeModule

/// What was sent at QoS 1 and 2 and is not completed, over all connections of a session (MQTT 5.0, section 4.4).
///
/// Whoever takes a promise out settles it: no promise comes out twice.
struct OutboundSession<Promise: Sendable>: Sendable {
    private enum Stage {
        /// PUBLISH is out.
        case published
        /// The broker has it (PUBREC); PUBREL is due.
        case received
        /// PUBREL is out.
        case released
    }

    private struct Flight {
        let ticket: UInt64
        let message: MQTTMessage
        /// Nil once the publisher gave up; the answer is still due.
        var promise: Promise?
        var stage = Stage.published
        /// Whether it is still to be published on this connection.
        var isDue = false
        /// The broker's last word on the message itself.
        var reason = MQTTReasonCode.success
        /// Grows with each PUBLISH that was sent and each PUBREC that came.
        var turn: UInt64
    }

    enum Answer {
        case none
        /// The broker is through with a message.
        case settled(Promise, MQTTReasonCode)
        /// The broker has a message that is unknown here: it is to be released.
        case unknown
    }

    /// How many messages may be without an answer.
    var window: Int
    private var flights: [UInt16: Flight] = [:]
    /// What is to be released, in the order of PUBREC.
    private var releases: Deque<UInt16> = []
    /// What is to be published again on this connection, in the order of the first time.
    private var repetitions: Deque<UInt16> = []
    private var lastIdentifier: UInt16
    private var foreignIdentifier: UInt16 = 0
    private var lastTurn: UInt64 = 0

    /// Where the identifiers begin does not matter, but to a broker that has some of another run: it takes a message with one of
    /// those for that one.
    init(window: Int, lastIdentifier: UInt16 = 0) {
        self.window = window
        self.lastIdentifier = lastIdentifier
    }

    /// How many messages are under way.
    var count: Int { flights.count }

    /// Whether somebody waits for the end of a message.
    var hasPublishers: Bool { flights.values.contains { $0.promise != nil } }

    /// Whether one more PUBLISH may go (section 4.9); those that still wait to be repeated do not count.
    var hasRoom: Bool { flights.count - repetitions.count < min(window, Self.mostFlights) }

    /// Takes up a message that is sent now; returns its packet identifier.
    mutating func send(_ message: MQTTMessage, _ ticket: UInt64, _ promise: Promise) -> UInt16 {
        // From the half in which the other is not, and does not come soon.
        let half = ~(foreignIdentifier &+ 0x1000) & 0x8000
        repeat {
            lastIdentifier = (lastIdentifier &+ 1) & 0x7fff | half
        } while lastIdentifier == 0 || flights[lastIdentifier] != nil
        let flight = Flight(ticket: ticket, message: message, promise: promise, turn: nextTurn())
        flights[lastIdentifier] = flight
        return lastIdentifier
    }

    /// As many identifiers as half of them are, without 0.
    private static var mostFlights: Int { 0x7fff }

    /// Identifiers are used up to this one by somebody else, who counts on: libmosquitto, for SUBSCRIBE and UNSUBSCRIBE, from 1
    /// on each connection.
    mutating func avoid(_ identifier: UInt16) { foreignIdentifier = identifier }

    /// What the session is owed before anything new is sent.
    mutating func next() -> OutboundStep? {
        if let identifier = releases.popFirst() {
            flights[identifier]?.stage = .released
            return .release(identifier)
        }
        guard hasRoom, let identifier = repetitions.popFirst(), let flight = flights[identifier] else { return nil }
        flights[identifier]?.isDue = false
        return .publish(flight.message, identifier, isRepetition: true)
    }

    /// PUBACK, PUBREC or PUBCOMP.
    ///
    /// - Throws: If it is no answer to the message that has the identifier.
    mutating func answered(
        _ type: PacketType,
        _ identifier: UInt16,
        _ reason: MQTTReasonCode
    ) throws(ProtocolViolation) -> Answer {
        guard let flight = flights[identifier] else { return type == .pubrec && !reason.isError ? .unknown : .none }
        switch (type, flight.message.qos) {
        case (.puback, .atLeastOnce):
            return remove(identifier, reason)
        case (.pubrec, .exactlyOnce) where reason.isError:
            return remove(identifier, flight.stage == .published ? reason : flight.reason)
        case (.pubrec, .exactlyOnce):
            receive(identifier, reason)
            return .none
        case (.pubcomp, .exactlyOnce) where flight.stage != .published:
            // Whatever it says: the broker took the message with PUBREC.
            return remove(identifier, flight.reason)
        default:
            throw .forbidden("a \(type) answers a message that it is no answer to")
        }
    }

    /// The publisher gave up.
    ///
    /// Nil if it was answered already.
    mutating func abandon(_ ticket: UInt64) -> Promise? {
        guard let identifier = flights.first(where: { $0.value.ticket == ticket })?.key else { return nil }
        defer { flights[identifier]?.promise = nil }
        return flights[identifier]?.promise
    }

    /// Every publisher gave up.
    mutating func abandonAll() -> [Promise] {
        let promises = inOrder.compactMap(\.value.promise)
        for identifier in flights.keys { flights[identifier]?.promise = nil }
        return promises
    }

    /// A new connection resumes the session: everything is said again.
    ///
    /// Returns what the broker would end the connection over by now.
    mutating func resume(refused: (MQTTMessage) -> Bool) -> [Promise] {
        var given: [Promise] = []
        for (identifier, flight) in inOrder where flight.stage == .published && refused(flight.message) {
            if let promise = flight.promise { given.append(promise) }
            flights[identifier]?.promise = nil
            // The broker may have it, and is to forget it before the identifier comes again.
            if flight.message.qos == .exactlyOnce {
                receive(identifier, .success)
            } else {
                flights[identifier] = nil
            }
        }
        let all = inOrder
        releases = Deque(all.filter { $0.value.stage != .published }.map(\.key))
        repetitions = Deque(all.filter { $0.value.stage == .published }.map(\.key))
        for identifier in repetitions { flights[identifier]?.isDue = true }
        return given
    }

    /// Ends the session: nothing of it will be answered.
    mutating func removeAll() -> [Promise] {
        defer { (flights, releases, repetitions) = ([:], [], []) }
        return inOrder.compactMap(\.value.promise)
    }

    private var inOrder: [(key: UInt16, value: Flight)] { flights.sorted { $0.value.turn < $1.value.turn } }

    private mutating func receive(_ identifier: UInt16, _ reason: MQTTReasonCode) {
        guard var flight = flights[identifier], flight.stage != .received else { return }
        if flight.isDue { repetitions.removeAll { $0 == identifier } }
        (flight.stage, flight.isDue, flight.reason, flight.turn) = (.received, false, reason, nextTurn())
        flights[identifier] = flight
        releases.append(identifier)
    }

    private mutating func remove(_ identifier: UInt16, _ reason: MQTTReasonCode) -> Answer {
        guard let flight = flights.removeValue(forKey: identifier) else { return .none }
        if flight.stage == .received { releases.removeAll { $0 == identifier } }
        // The broker answers before it was told again.
        if flight.isDue { repetitions.removeAll { $0 == identifier } }
        return flight.promise.map { .settled($0, reason) } ?? .none
    }

    private mutating func nextTurn() -> UInt64 {
        lastTurn += 1
        return lastTurn
    }
}
