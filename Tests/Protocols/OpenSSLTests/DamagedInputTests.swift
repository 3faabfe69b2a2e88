import OpenSSL
import Testing

@Suite("Damaged and truncated input")
struct DamagedInputTests {
    /// What a server says in one good handshake, recorded; a client cannot be fooled by replaying it with damage.
    private func contexts(_ version: TLSVersion) throws -> (client: TLSContext, server: TLSContext) {
        (try .client(trust: .any), try TLSSessionTests.server(maximum: version))
    }

    @Test(arguments: TLSVersion.allCases)
    func `A handshake cut at any byte is a failure, not a wait`(version: TLSVersion) throws {
        let (client, server) = try contexts(version)
        var length = 1
        var cut = 0
        while cut < length {
            let pair = try SessionPair(client: client, server: server)
            _ = pair.client.start()
            _ = pair.server.start()
            _ = pair.server.receive(pair.client.takeCiphertext())
            let flight = pair.server.takeCiphertext()
            // TLS 1.3: the whole of it is needed. TLS 1.2: it is only the first half of the handshake.
            length = flight.count
            // A signature's length differs by a byte or two from one handshake to the next.
            guard cut < length else { break }
            let events = pair.client.receive(Array(flight.prefix(cut)))
            #expect(events.isEmpty, "\(cut): \(events)")
            let end = pair.client.receiveEnd()
            #expect(end.failure?.code == .closed, "\(cut): \(end)")
            #expect(pair.client.state == .closed)
            #expect(pair.client.receiveEnd().isEmpty)
            cut += 1
        }
        #expect(length > 300)
    }

    @Test func `An end without close_notify is told, and is no failure`() throws {
        let (client, server) = try contexts(.tls13)
        let pair = try SessionPair(client: client, server: server)
        pair.pump()
        try pair.server.send([7])
        #expect(pair.client.receive(pair.server.takeCiphertext()) == [.received([7])])
        #expect(pair.client.receiveEnd() == [.inputClosed(.truncated)])
        #expect(pair.client.receiveEnd().isEmpty)
    }
}
