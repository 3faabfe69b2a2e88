import Foundation

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

    /// A session that lasts so long, in seconds, shows that no other client has the same client id.
    static let steadyTime = 600.0

    /// Counts the beginnings and ends of sessions.
    private(set) var number = 0
    private var phase = Phase.disconnected
    private var begin = Date.distantFuture

    var isOpen: Bool { phase == .open }
    var isClosed: Bool { phase == .closed }

    func isSteady(at time: Date) -> Bool { isOpen && time.timeIntervalSince(begin) >= Self.steadyTime }

    mutating func begin(on connection: UInt64, at time: Date) {
        number += 1
        begin = time
        if phase != .closed { phase = .awaitingReplay(connection: connection) }
    }

    /// Opens the session after the replay on its connection ended or took too long; false for another connection.
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
