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
            members: members,
            printers: Self.printers,
            owners: Dictionary(uniqueKeysWithValues: taken.map { ($0, "b") })
        )
        #expect(Set(plan.claims) == mine.subtracting(taken))
        #expect(plan.releases.isEmpty)
    }

    @Test("A member gives away what should be with a new one, and what was removed")
    func releases() {
        let removed: PrinterID = "removed"
        var owners = Dictionary(uniqueKeysWithValues: Self.printers.map { ($0, "a") })
        owners[removed] = "a"
        let plan = FleetPlan(for: "a", members: ["a", "b"], printers: Self.printers, owners: owners)
        #expect(Set(plan.releases) == Self.wanted("b", of: ["a", "b"]).union([removed]))
        #expect(plan.claims.isEmpty)
    }

    @Test("A member that is not in the list does nothing")
    func stranger() {
        let plan = FleetPlan(for: "c", members: ["a", "b"], printers: Self.printers, owners: [:])
        #expect(plan == FleetPlan(for: "c", members: [], printers: [], owners: [:]))
    }
}
