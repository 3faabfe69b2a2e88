import NIOCore
import NIOHTTP1
import Platform
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
    private let isProxy: @Sendable (Peer) -> Bool
    private let stranger: @Sendable (HTTPRequestHead, Peer?) -> [UInt8]?
    private let table: Mutex<ConnectionTable<PageConnection>>
    private let budget = Mutex(RequestBudget())

    /// A proxy connects for many; `stranger` is the network of a request that does not come from this machine.
    init(
        limit: Int,
        isProxy: @escaping @Sendable (Peer) -> Bool = { _ in false },
        stranger: @escaping @Sendable (HTTPRequestHead, Peer?) -> [UInt8]? = { $1?.network ?? [] }
    ) {
        (self.isProxy, self.stranger) = (isProxy, stranger)
        table = Mutex(ConnectionTable(limit: limit, share: ConnectionLimits.share))
    }

    /// Gives a connection a place; false if it has to be closed.
    func admit(_ connection: PageConnection) -> Bool {
        let peer = Peer(connection.channel)
        let network = peer.map(isProxy) == true ? nil : peer?.network ?? []
        switch table.withLock({ $0.admit(connection, from: network, isKnown: peer?.isLoopback == true) }) {
        case .refused: return false
        case .admitted: return true
        case .admittedInsteadOf(let other):
            other.channel.close(promise: nil)
            return true
        }
    }

    /// Whether a request may be handled; those of this machine, and of clients that have signed in, always may.
    func admitsRequest(_ head: HTTPRequestHead, on connection: PageConnection) -> Bool {
        guard !table.withLock({ $0.isProven(connection) }),
            let network = stranger(head, Peer(connection.channel))
        else { return true }
        return budget.withLock { $0.allows(network, at: MachineClock.now) }
    }

    func set(_ activity: ConnectionTable<PageConnection>.Activity, of connection: PageConnection) {
        table.withLock { $0.set(activity, of: connection) }
    }

    /// Tells whether the last request of a connection came from this machine, or with the password, and from which network.
    func setKnown(_ isKnown: Bool, _ connection: PageConnection, from network: [UInt8]?) {
        let wasCounted = table.withLock { table in
            defer { table.setKnown(isKnown, connection) }
            return !table.isProven(connection)
        }
        // A proxy may open a connection for each request.
        if isKnown, wasCounted, let network { budget.withLock { $0.giveBack(network) } }
    }

    /// Closes the connections that are still there after some time: a client that reads nothing must not hold up the end.
    func closeAll(in time: Duration) {
        Task {
            try? await Task.sleep(for: time)
            closeAll()
        }
    }

    func closeAll() { for connection in table.withLock({ $0.ids }) { connection.channel.close(promise: nil) } }

    func remove(_ connection: PageConnection) { table.withLock { $0.remove(connection) } }
}
