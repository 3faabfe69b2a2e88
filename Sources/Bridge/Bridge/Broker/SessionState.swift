/// The session with the broker, as far as publishing depends on it.
///
/// A new session publishes nothing until the replay of retained commands has ended, or until a timeout.
struct SessionState: Sendable {
    private enum Phase: Equatable {
        case disconnected
        case awaitingReplay(connection: UInt64)
        case open
        case closed
    }

    /// Counts the beginnings and ends of sessions.
    private(set) var number = 0
    private var phase = Phase.disconnected

    var isOpen: Bool { phase == .open }
    var isClosed: Bool { phase == .closed }

    mutating func begin(on connection: UInt64) {
        number += 1
        if phase != .closed { phase = .awaitingReplay(connection: connection) }
    }

    /// Opens the session, since the replay on its connection has ended or took too long; false if it is not this one's.
    mutating func open(on connection: UInt64) -> Bool {
        guard phase == .awaitingReplay(connection: connection) else { return false }
        phase = .open
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
