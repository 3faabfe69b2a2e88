package import Printers

/// What a member claims and releases so that all members have equally many slots, and as few slots as possible move.
package struct FleetPlan: Sendable, Hashable {
    /// Slots without an owner that this member should own.
    package var claims: [PrinterSlot] = []
    package var releases: [PrinterSlot] = []

    /// Plans for one member; every member comes to the same result from the same values.
    package init(for member: String, members: Set<String>, owners: [PrinterSlot: String]) {
        // A member that is not in the list takes nothing: it does not know the other members.
        guard members.contains(member) else { return }
        let owned = Dictionary(grouping: owners.keys.sorted()) { owners[$0] ?? "" }
        var free = PrinterSlot.all.filter { owners[$0] == nil }[...]
        // Where equal shares are not possible, the larger ones are with members that have many slots already.
        let ranked = members.sorted { (-(owned[$0]?.count ?? 0), $0) < (-(owned[$1]?.count ?? 0), $1) }
        for (rank, name) in ranked.enumerated() {
            let share = PrinterSlot.count / members.count + (rank < PrinterSlot.count % members.count ? 1 : 0)
            let own = owned[name] ?? []
            let claimed = free.prefix(max(0, share - own.count))
            free = free.dropFirst(claimed.count)
            guard name == member else { continue }
            claims = Array(claimed)
            releases = Array(own.dropFirst(share))
        }
    }
}
