import SettingsEtcd
import Synchronization

/// The condition for each commit of a member: its lease is still valid.
final class FleetFence: Sendable {
    private enum State { case unused, lease(Int), none }

    private let key: String
    private let state = Mutex(State.unused)

    /// Lets everything through until the first lease, since a bridge takes its configuration file up before it joins.
    init(key: String) { self.key = key }

    /// The lease that the member has now; nil when it has none any more.
    func set(_ lease: Int?) { state.withLock { $0 = lease.map(State.lease) ?? .none } }

    /// What a commit compares; nil while nothing may be committed.
    var compares: [EtcdCompare]? {
        switch state.withLock({ $0 }) {
        case .unused: []
        case .lease(let lease): [.lease(key, is: lease)]
        case .none: nil
        }
    }
}
