import NIOCore
import Synchronization

/// An open connection, which its channel tells apart from others.
struct PageConnection: Hashable, Sendable {
    let channel: any Channel

    static func == (one: PageConnection, other: PageConnection) -> Bool { one.channel === other.channel }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(channel)) }
}

/// Gives connections their places, and closes those that lose them to others; see ``ConnectionTable``.
final class ConnectionPlaces: Sendable {
    private let isProxy: @Sendable (Peer) -> Bool
    private let table: Mutex<ConnectionTable<PageConnection>>

    /// A proxy connects for many.
    init(limit: Int, isProxy: @escaping @Sendable (Peer) -> Bool) {
        self.isProxy = isProxy
        table = Mutex(ConnectionTable(limit: limit, share: ConnectionLimits.share))
    }

    /// Gives a connection a place; false if it has to be closed.
    func admit(_ connection: PageConnection) -> Bool {
        let peer = Peer(connection.channel.remoteAddress)
        let network = peer.map(isProxy) == true ? nil : peer?.network ?? []
        switch table.withLock({ $0.admit(connection, from: network, isKnown: peer?.isLoopback == true) }) {
        case .refused: return false
        case .admitted: return true
        case .admittedInsteadOf(let other):
            other.channel.close(promise: nil)
            return true
        }
    }

    func set(_ activity: ConnectionTable<PageConnection>.Activity, of connection: PageConnection) {
        table.withLock { $0.set(activity, of: connection) }
    }

    /// Tells whether the last request of a connection came from this machine, or with the password.
    func setKnown(_ isKnown: Bool, _ connection: PageConnection) {
        table.withLock { $0.setKnown(isKnown, connection) }
    }

    /// Closes the connections that are still there after some time: a client that reads nothing must not hold up the end.
    func closeAll(in time: Duration) {
        Task {
            try? await Task.sleep(for: time)
            for connection in table.withLock({ $0.ids }) { connection.channel.close(promise: nil) }
        }
    }

    func remove(_ connection: PageConnection) { table.withLock { $0.remove(connection) } }
}
