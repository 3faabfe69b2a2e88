import Testing

@testable import Bridge

@Suite struct FleetPlanTests {
    private static let printers = Set((0..<50).compactMap { PrinterID("p\($0)") })

    private static func wanted(_ member: String, of members: Set<String>) -> Set<PrinterID> {
        printers.filter { Rendezvous.owner(of: $0.description, among: members) == member }
    }

    @Test("A member claims what is free and its own, and leaves alone what another one has")
    func claims() {
        let members: Set = ["a", "b"]
        let mine = Self.wanted("a", of: members)
        let taken = Set(mine.sorted().prefix(5))
        let plan = FleetPlan(
            for: "a",
            members: ["a": 1, "b": 2],
            printers: Self.printers,
            owners: Dictionary(uniqueKeysWithValues: taken.map { ($0, "b") }),
            last: Self.last("c", since: 3)
        )
        #expect(Set(plan.claims) == mine.subtracting(taken))
        #expect(plan.releases.isEmpty)
    }

    @Test("A member gives away what should be with a new one, and what was removed")
    func releases() {
        let removed: PrinterID = "removed"
        var owners = Dictionary(uniqueKeysWithValues: Self.printers.map { ($0, "a") })
        owners[removed] = "a"
        let plan = FleetPlan(
            for: "a",
            members: ["a": 1, "b": 2],
            printers: Self.printers,
            owners: owners,
            last: [:]
        )
        #expect(Set(plan.releases) == Self.wanted("b", of: ["a", "b"]).union([removed]))
        #expect(plan.claims.isEmpty)
    }

    @Test("A member that is not in the list does nothing")
    func stranger() {
        let plan = FleetPlan(for: "c", members: ["a": 1, "b": 2], printers: Self.printers, owners: [:], last: [:])
        #expect(plan == FleetPlan(for: "c", members: [:], printers: [], owners: [:], last: [:]))
    }

    /// The last owner of all printers, who joined before the given revision unless said otherwise.
    private static func last(_ member: String, since revision: Int) -> [PrinterID: FleetPlan.LastOwner] {
        Dictionary(uniqueKeysWithValues: printers.map { ($0, .init(member, since: revision)) })
    }

    @Test(
        "What nobody has goes to members that have held its messages since its last owner got it, else to the first",
        arguments: [
            // Dead; all others were there before.
            ("dead", 5, ["a": 1, "b": 2], ["a", "b"]),
            // 'b' came later, also when it is the last owner itself with another lease.
            ("dead", 5, ["a": 1, "b": 7], ["a"]),
            ("b", 5, ["a": 1, "b": 7], ["a"]),
            // Everybody came later.
            ("dead", 5, ["a": 9, "b": 7], ["b"]),
            // It lives, and has given them away.
            ("a", 5, ["a": 1, "b": 7], ["a", "b"]),
            // Nobody ever had them.
            (nil, 0, ["a": 1, "b": 7], ["a"]),
        ] as [(String?, Int, [String: Int], Set<String>)]
    )
    func heirs(owner: String?, since: Int, members: [String: Int], heirs: Set<String>) {
        for member in members.keys {
            let plan = FleetPlan(
                for: member,
                members: members,
                printers: Self.printers,
                owners: [:],
                last: owner.map { Self.last($0, since: since) } ?? [:]
            )
            #expect(Set(plan.claims) == (heirs.contains(member) ? Self.wanted(member, of: heirs) : []))
        }
    }
}
