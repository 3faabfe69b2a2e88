import Testing

@testable import Fleet
@testable import Printers
@testable import SettingsEtcd

@Suite struct FleetPlanTests {
    /// Owners of so many slots each, in their order; the rest is free.
    private static func owners(_ counts: [(String, Int)]) -> [PrinterSlot: String] {
        let names = counts.flatMap { name, count in [String](repeating: name, count: count) }
        return Dictionary(uniqueKeysWithValues: zip(PrinterSlot.all, names))
    }

    @Test(
        arguments: [
            // Nobody has anything yet.
            (["a"], [], ["a": 6]),
            (["a", "b", "c"], [], ["a": 2, "b": 2, "c": 2]),
            // One has died.
            (["a", "b"], [("a", 2), ("b", 2)], ["a": 1, "b": 1]),
            // One has come.
            (["a", "b", "c"], [("a", 3), ("b", 3)], ["a": -1, "b": -1]),
            // Another one has died meanwhile.
            (["a", "c"], [("a", 3)], ["c": 3]),
            // Larger shares stay where they are.
            (["a", "b", "c", "d", "e"], [("a", 1), ("b", 2), ("c", 1), ("d", 1)], ["e": 1]),
            (["a", "b"], [("a", 3), ("b", 3)], [:]),
            // A member that is not in the list does nothing.
            ([], [("a", 3)], [:]),
        ] as [(Set<String>, [(String, Int)], [String: Int])]
    )
    func `Members claim what is free and release what is too much, until all have equal shares`(
        members: Set<String>,
        counts: [(String, Int)],
        changes: [String: Int]
    ) {
        let owners = Self.owners(counts)
        var claimed: [PrinterSlot] = []
        for member in ["a", "b", "c", "d", "e"] {
            let plan = FleetPlan(for: member, members: members, owners: owners)
            #expect(plan.claims.count - plan.releases.count == changes[member, default: 0], "\(member)")
            #expect(plan.releases.allSatisfy { owners[$0] == member } && plan.claims.allSatisfy { owners[$0] == nil })
            claimed += plan.claims
        }
        #expect(Set(claimed).count == claimed.count, "no two claim the same")
    }

    /// A key as etcd has it since a revision.
    private func key(_ name: String, _ owner: String, at revision: Int) -> EtcdKeyValue {
        EtcdKeyValue(key: name, value: Array(owner.utf8), createRevision: revision, modRevision: revision)
    }

    @Test func `A member knows its own later writes, unless etcd was restored from a backup`() {
        let keys = FleetKeys(fleet: "f")
        let slot = PrinterSlot.all[0]
        let (owner, leader) = (key(keys.owner(slot), "a", at: 3), key(keys.leader, "a", at: 4))
        var view = FleetView(keys)
        view.merge(.all([owner, leader], revision: 5))
        view.setOwner(nil, of: [slot], revision: 7)
        view.setLeader("b", revision: 8)
        view.merge(.all([owner, leader], revision: 6))
        #expect(view.owners == [:] && view.leader == "b", "the page is older than the writes")
        view.merge(.some([key(keys.member("b"), "{}", at: 9)], revision: 9))
        view.merge(.all([owner, leader], revision: 5))
        #expect(view.owners == [slot: "a"] && view.leader == "a" && view.members == [])
    }
}
