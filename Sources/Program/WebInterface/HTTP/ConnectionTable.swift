/// Which connections are open, and which one gives its place to a new one when there are too many: a value.
///
/// A new connection gets a place at once, unless every other connection is a known client's and is being answered. So a
/// monitoring program reaches `/health`, although another program holds many connections.
struct ConnectionTable<ID: Hashable & Sendable>: Sendable {
    /// What a connection does, in the order in which connections are closed.
    enum Activity: Int, Sendable {
        /// The client does not read its answer.
        case stalled
        /// It waits for the next request.
        case idle
        /// A request has not arrived completely.
        case receiving
        case answering
    }

    enum Admission: Sendable, Hashable {
        case admitted
        case admittedInsteadOf(ID)
        /// All other connections are of known clients, and are being answered.
        case refused
    }

    private struct Entry {
        let network: [UInt8]?
        var isKnown: Bool
        /// Whether a request on this connection came from this machine, or with the password.
        var isProven = false
        var activity = Activity.receiving
        /// When the activity began, counted in changes to the table.
        var since: Int

        /// The least gives up its place first.
        var rank: (Int, Int, Int) { (isKnown ? 1 : 0, activity.rawValue, since) }
        /// Pages that are kept up to date are always being answered.
        var keepsPlace: Bool { isKnown && activity == .answering }
    }

    let limit: Int
    /// How many connections of clients that are not known one network may have.
    let share: Int

    private var entries: [ID: Entry] = [:]
    private var changes = 0

    var ids: [ID] { Array(entries.keys) }

    init(limit: Int, share: Int) { (self.limit, self.share) = (limit, share) }

    /// Gives a new connection a place; `network` is nil for proxies, which connect for many.
    mutating func admit(_ id: ID, from network: [UInt8]?, isKnown: Bool) -> Admission {
        let neighbours = network == nil || isKnown ? [:] : entries.filter { $1.network == network && !$1.isKnown }
        var admission = Admission.admitted
        if neighbours.count >= share || entries.count >= limit {
            let rivals = (neighbours.count >= share ? neighbours : entries).filter { !$1.keepsPlace }
            guard let last = rivals.min(by: { $0.value.rank < $1.value.rank })?.key else { return .refused }
            entries[last] = nil
            admission = .admittedInsteadOf(last)
        }
        changes += 1
        entries[id] = Entry(network: network, isKnown: isKnown, since: changes)
        return admission
    }

    mutating func set(_ activity: Activity, of id: ID) {
        guard entries[id]?.activity != activity else { return }
        changes += 1
        entries[id]?.activity = activity
        entries[id]?.since = changes
    }

    /// Records whether the last request came from this machine, or with the password.
    mutating func setKnown(_ isKnown: Bool, _ id: ID) {
        entries[id]?.isKnown = isKnown
        entries[id]?.isProven = isKnown
    }

    func isProven(_ id: ID) -> Bool { entries[id]?.isProven == true }

    mutating func remove(_ id: ID) { entries[id] = nil }
}
