import NIOCore
import Synchronization

/// Gives connections their places, and closes those that lose them to others; see ``ConnectionTable``.
final class ConnectionPlaces: Sendable {
    typealias ID = ObjectIdentifier

    private struct State {
        var table: ConnectionTable<ID>
        var channels: [ID: any Channel] = [:]
    }

    private let isProxy: @Sendable (Peer) -> Bool
    private let state: Mutex<State>

    /// `share` is how many of the connections one network has until it is known; a proxy connects for many.
    init(
        limit: Int = ConnectionLimits.connections,
        share: Int = ConnectionLimits.share,
        isProxy: @escaping @Sendable (Peer) -> Bool
    ) {
        self.isProxy = isProxy
        state = Mutex(State(table: ConnectionTable(limit: limit, share: share)))
    }

    /// Gives a connection a place; false if it has to be closed.
    func admit(_ channel: any Channel) -> Bool {
        let peer = Peer(channel.remoteAddress)
        let network = peer.map(isProxy) == true ? nil : peer?.network ?? []
        let (isAdmitted, evicted) = state.withLock { state -> (Bool, (any Channel)?) in
            let admission = state.table.admit(ID(channel), from: network, isKnown: peer?.isLoopback == true)
            guard admission != .refused else { return (false, nil) }
            state.channels[ID(channel)] = channel
            guard case .admittedInsteadOf(let other) = admission else { return (true, nil) }
            return (true, state.channels.removeValue(forKey: other))
        }
        evicted?.close(promise: nil)
        return isAdmitted
    }

    func set(_ activity: ConnectionTable<ID>.Activity, of channel: any Channel) {
        state.withLock { $0.table.set(activity, of: ID(channel)) }
    }

    /// Tells whether the last request of a connection came from this machine, or with the password.
    func setKnown(_ isKnown: Bool, _ id: ID) { state.withLock { $0.table.setKnown(isKnown, id) } }

    func remove(_ channel: any Channel) {
        state.withLock { state in
            state.table.remove(ID(channel))
            state.channels[ID(channel)] = nil
        }
    }
}
