import HTTPTypes
import NIOCore
import NIOHTTP1
import Printers
import Synchronization

/// An open connection, which its channel tells apart from others.
struct PageConnection: Hashable, Sendable {
    let channel: any Channel

    static func == (one: PageConnection, other: PageConnection) -> Bool { one.channel === other.channel }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(channel)) }
}

/// Gives connections their places, and closes those that lose them to others; see ``ConnectionTable``.
final class ConnectionPlaces: Sendable {
    private let rules: AccessRules
    private let table: Mutex<ConnectionTable<PageConnection>>
    private let budget = Mutex(RequestBudget())

    init(limit: Int, rules: AccessRules) {
        self.rules = rules
        table = Mutex(ConnectionTable(limit: limit, share: ConnectionLimits.share))
    }

    /// Gives a connection a place; false if it has to be closed.
    func admit(_ connection: PageConnection) -> Bool {
        let peer = Peer(connection.channel.remoteAddress)
        // A proxy connects for many.
        let network = peer.map(rules.isProxy) == true ? nil : peer?.network ?? []
        switch table.withLock({ $0.admit(connection, from: network, isKnown: peer?.isLoopback == true) }) {
        case .refused: return false
        case .admitted: return true
        case .admittedInsteadOf(let other):
            other.channel.close(promise: nil)
            return true
        }
    }

    /// Whether a request may be looked at; those of this machine, and of clients that have signed in, always may.
    func admitsRequest(_ head: HTTPRequestHead, on connection: PageConnection) -> Bool {
        var visit = Visit(
            method: .get,
            path: head.uri,
            peer: Peer(connection.channel.remoteAddress),
            host: nil,
            session: nil
        )
        visit.isForwarded = ["Forwarded", "Via", "X-Forwarded-For"].contains { head.headers.contains(name: $0) }
        visit.forwardedFor = head.headers["X-Forwarded-For"].joined(separator: ",")
        guard let network = rules.network(of: visit), !table.withLock({ $0.isKnown(connection) && !visit.isForwarded })
        else { return true }
        return budget.withLock { $0.allows(network, at: MachineClock.now) }
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
