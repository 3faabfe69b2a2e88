/// The session with the broker, as far as publishing depends on it.
///
/// A new session publishes nothing until the replay of retained commands has ended, or until a timeout.
struct SessionState: Sendable {
    private enum Phase: Equatable {
        case disconnected
        case awaitingReplay(connection: UInt64, since: ContinuousClock.Instant)
        case open(since: ContinuousClock.Instant)
        case closed
    }

    /// A session that lasts so long shows that no other client has the same client id.
    ///
    /// Another bridge connects again after a minute at most: `Backoff.takeoverLimit` of the MQTT client.
    static let steadyTime = Duration.seconds(180)

    /// Counts the beginnings and ends of sessions.
    private(set) var number = 0
    private var phase = Phase.disconnected

    var isOpen: Bool { if case .open = phase { true } else { false } }

    func isSteady(at time: ContinuousClock.Instant) -> Bool {
        if case .open(let begin) = phase { time - begin >= Self.steadyTime } else { false }
    }

    mutating func begin(on connection: UInt64, at time: ContinuousClock.Instant) {
        number += 1
        if phase != .closed { phase = .awaitingReplay(connection: connection, since: time) }
    }

    /// Opens the session after the replay on its connection ended or took too long; false for another connection.
    mutating func open(on connection: UInt64) -> Bool {
        guard case .awaitingReplay(connection, let begin) = phase else { return false }
        phase = .open(since: begin)
        return true
    }

    mutating func end() {
        number += 1
        if phase != .closed { phase = .disconnected }
    }

    mutating func close() {
        number += 1
        phase = .closed
    }
}
