import Testing

@testable import Bridge

@Suite struct RendezvousTests {
    private static let printers = (0..<10_000).map { "printer-\($0)" }

    private static func owners(_ members: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: printers.map { ($0, Rendezvous.owner(of: $0, among: members) ?? "") })
    }

    @Test("Members get equal shares, within 5 %", arguments: [2, 3, 5, 10])
    func spread(count: Int) {
        let members = (0..<count).map { "host-\($0)" }
        let shares = Dictionary(grouping: Self.owners(members).values) { $0 }.mapValues(\.count)
        let equal = 10_000 / count
        for member in members { #expect(abs((shares[member] ?? 0) - equal) < equal / 20 + 50, "\(member)") }
    }

    @Test("Only printers that come to a new member move, and only those of one that leaves")
    func movement() {
        let (two, three) = (Self.owners(["a", "b"]), Self.owners(["a", "b", "c"]))
        for printer in Self.printers where two[printer] != three[printer] { #expect(three[printer] == "c") }
        let without = Self.owners(["a", "c"])
        for printer in Self.printers where three[printer] != without[printer] { #expect(three[printer] == "b") }
    }

    @Test("The order of the members does not matter; without members there is no owner")
    func order() {
        #expect(Self.owners(["c", "a", "b"]) == Self.owners(["a", "b", "c"]))
        #expect(Rendezvous.owner(of: "x", among: [String]()) == nil)
    }
}
