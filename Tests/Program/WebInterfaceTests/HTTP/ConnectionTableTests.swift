import Testing

@testable import WebInterface

private typealias Table = ConnectionTable<String>
private typealias Case = (id: String, isKnown: Bool, activity: Table.Activity)

@Suite("Which connection gives its place to a new one")
struct ConnectionTableTests {
    /// Four places, of which a network has two.
    private func table(_ connections: [Case]) -> Table {
        var table = Table(limit: 4, share: 2)
        for (index, connection) in connections.enumerated() {
            let network: [UInt8] = [UInt8(index)]
            #expect(table.admit(connection.id, from: network, isKnown: connection.isKnown) == .admitted)
        }
        for connection in connections { table.set(connection.activity, of: connection.id) }
        return table
    }

    @Test(
        arguments: [
            ([("a", false, .idle), ("b", false, .receiving), ("c", false, .answering), ("d", true, .stalled)], "a"),
            ([("a", false, .answering), ("b", false, .receiving), ("c", false, .receiving), ("d", true, .idle)], "b"),
            ([("a", false, .receiving), ("b", false, .idle), ("c", false, .stalled), ("d", false, .idle)], "c"),
            ([("a", true, .stalled), ("b", true, .idle), ("c", false, .answering), ("d", true, .idle)], "c"),
            ([("a", true, .receiving), ("b", true, .idle), ("c", true, .idle), ("d", true, .answering)], "b"),
            (["a", "b", "c", "d"].map { ($0, true, .answering) }, nil),
        ] as [([Case], String?)]
    )
    fileprivate func `Strangers are closed before known clients, then stalled, idle and slow connections`(
        connections: [Case],
        loser: String?
    ) {
        var table = table(connections)
        #expect(table.admit("new", from: [9], isKnown: false) == loser.map { .admittedInsteadOf($0) } ?? .refused)
    }

    @Test func `The connection that is idle longest goes first, and asking again makes it the last`() {
        var table = table([("a", false, .idle), ("b", false, .idle), ("c", false, .idle), ("d", false, .idle)])
        table.set(.answering, of: "a")
        table.set(.idle, of: "a")
        #expect(table.admit("e", from: [9], isKnown: false) == .admittedInsteadOf("b"))
        table.set(.idle, of: "e")
        #expect(table.admit("f", from: [9], isKnown: false) == .admittedInsteadOf("c"))
    }

    @Test func `A network at its share loses its own connections, excluding known clients and proxies`() {
        var table = Table(limit: 10, share: 2)
        #expect(table.admit("a", from: [1], isKnown: false) == .admitted)
        #expect(table.admit("b", from: [1], isKnown: false) == .admitted)
        #expect(table.admit("c", from: [1], isKnown: false) == .admittedInsteadOf("a"))
        #expect(table.admit("d", from: [2], isKnown: false) == .admitted)
        table.setKnown(true, "b")
        #expect(table.admit("e", from: [1], isKnown: false) == .admitted)
        for id in ["p", "q", "r"] { #expect(table.admit(id, from: nil, isKnown: false) == .admitted) }
        for id in ["x", "y"] { #expect(table.admit(id, from: [127], isKnown: true) == .admitted) }
        table.remove("x")
        #expect(table.admit("z", from: [127], isKnown: true) == .admitted)
    }
}
