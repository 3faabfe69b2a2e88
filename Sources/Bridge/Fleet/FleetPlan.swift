/// What a member claims and releases so that each printer gets to the member that should own it.
public struct FleetPlan: Sendable, Hashable {
    /// Printers without an owner that this member should own.
    public var claims: [PrinterID] = []
    /// Printers that this member owns and should not own.
    public var releases: [PrinterID] = []

    /// Plans for one member.
    ///
    /// - Parameters:
    ///   - member: Whose plan.
    ///   - members: The members that are alive.
    ///   - printers: The printers that exist.
    ///   - owners: The member that has each printer now.
    public init(for member: String, members: Set<String>, printers: Set<PrinterID>, owners: [PrinterID: String]) {
        // A member that is not in the list takes nothing: it does not know the other members.
        guard members.contains(member) else { return }
        for printer in printers.union(owners.filter { $0.value == member }.keys) {
            let isWanted =
                printers.contains(printer) && Rendezvous.owner(of: printer.description, among: members) == member
            switch owners[printer] {
            case nil: if isWanted { claims.append(printer) }
            case member: if !isWanted { releases.append(printer) }
            default: continue
            }
        }
        claims.sort()
        releases.sort()
    }
}
