/// What a member claims and releases so that each printer gets to the member that should own it.
public struct FleetPlan: Sendable, Hashable {
    /// The last owner of a printer, and the revision of etcd that gave it to that member.
    public struct LastOwner: Sendable, Hashable {
        /// The member.
        public var member: String
        /// The revision.
        public var revision: Int

        /// Notes an owner.
        public init(_ member: String, since revision: Int) { (self.member, self.revision) = (member, revision) }
    }

    /// Printers without an owner that this member should own.
    public var claims: [PrinterID] = []
    /// Printers that this member owns and should not own.
    public var releases: [PrinterID] = []

    /// Plans for one member.
    ///
    /// - Parameters:
    ///   - member: The member that plans.
    ///   - members: The members that are alive, and the revision of etcd at which each joined.
    ///   - printers: The printers that exist.
    ///   - owners: The member that has each printer now.
    ///   - last: The member that had each printer last.
    public init(
        for member: String,
        members: [String: Int],
        printers: Set<PrinterID>,
        owners: [PrinterID: String],
        last: [PrinterID: LastOwner]
    ) {
        // A member that is not in the list takes nothing: it does not know the other members.
        guard members[member] != nil else { return }
        for printer in printers.union(owners.filter { $0.value == member }.keys) {
            let candidates =
                owners[printer] == nil ? Self.heirs(of: last[printer], among: members) : Array(members.keys)
            let isWanted =
                printers.contains(printer) && Rendezvous.owner(of: printer.description, among: candidates) == member
            switch owners[printer] {
            case nil: if isWanted { claims.append(printer) }
            case member: if !isWanted { releases.append(printer) }
            default: continue
            }
        }
        claims.sort()
        releases.sort()
    }

    /// Which members may claim a printer without an owner.
    ///
    /// If its last owner has died: the members that joined before that owner got the printer, since they hold all of its
    /// messages. If there is no such member: the one that joined first, which then gives the printer to the right member.
    private static func heirs(of last: LastOwner?, among members: [String: Int]) -> [String] {
        if let last {
            // The owner lives, and has given it away in order.
            if let joined = members[last.member], joined < last.revision { return Array(members.keys) }
            let older = members.filter { $0.value < last.revision }.keys
            if !older.isEmpty { return Array(older) }
        }
        return members.min { ($0.value, $0.key) < ($1.value, $1.key) }.map { [$0.key] } ?? []
    }
}
