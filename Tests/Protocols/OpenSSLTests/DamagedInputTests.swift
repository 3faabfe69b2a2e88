import OpenSSL
import Testing

@Suite("Damaged and truncated input")
struct DamagedInputTests {
    /// What a server says in one good handshake, recorded; a client cannot be fooled by replaying it with damage.
    private func contexts(_ version: TLSVersion) throws -> (client: TLSContext, server: TLSContext) {
        (try .client(trust: .any), try TLSSessionTests.server(maximum: version))
    }

    @Test("A handshake cut at any byte is a failure, not a wait", arguments: TLSVersion.allCases)
    func truncatedHandshake(version: TLSVersion) throws {
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

    @Test("A handshake with any byte changed never completes", arguments: TLSVersion.allCases)
    func damagedHandshake(version: TLSVersion) throws {
        let (client, server) = try contexts(version)
        var length = 1
        var place = 0
        while place < length {
            let pair = try SessionPair(client: client, server: server)
            _ = pair.client.start()
            _ = pair.server.start()
            _ = pair.server.receive(pair.client.takeCiphertext())
            var flight = pair.server.takeCiphertext()
            length = flight.count
            guard place < length else { break }
            flight[place] ^= 0x41
            var events = pair.client.receive(flight)
            events += pair.server.receive(pair.client.takeCiphertext())
            events += pair.client.receive(pair.server.takeCiphertext())
            // A changed length makes it wait for more, which the end of the connection then ends.
            events += pair.client.receiveEnd()
            events += pair.server.receiveEnd()
            // The version in a record's header need not be looked at (RFC 8446, 5.1): then nothing was changed.
            let isHeaderVersion = flight.recordStarts(original: place).contains { place == $0 + 1 || place == $0 + 2 }
            #expect(events.failure != nil || isHeaderVersion, "\(place)")
            place += 1
        }
    }

    @Test("A record with any byte changed delivers nothing", arguments: TLSVersion.allCases)
    func damagedRecord(version: TLSVersion) throws {
        let (client, server) = try contexts(version)
        for place in 0..<60 {
            let pair = try SessionPair(client: client, server: server)
            pair.pump()
            try pair.server.send(Array("the quick brown fox jumps over it".utf8))
            var record = pair.server.takeCiphertext()
            guard place < record.count else { break }
            record[place] ^= 0x01
            let events = pair.client.receive(record) + pair.client.receiveEnd()
            #expect(events.bytes.isEmpty, "\(place)")
            #expect(events.failure?.code == .protocol || events == [.inputClosed(.truncated)], "\(place): \(events)")
        }
    }

    @Test("An end without close_notify is told, and is no failure")
    func truncated() throws {
        let (client, server) = try contexts(.tls13)
        let pair = try SessionPair(client: client, server: server)
        pair.pump()
        try pair.server.send([7])
        #expect(pair.client.receive(pair.server.takeCiphertext()) == [.received([7])])
        #expect(pair.client.receiveEnd() == [.inputClosed(.truncated)])
        #expect(pair.client.receiveEnd().isEmpty)
    }

    @Test(
        "An answer that is no TLS fails the handshake",
        arguments: [
            "RTSP/1.0 400 Bad Request\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
        ]
    )
    func plaintext(answer: String) throws {
        let session = try TLSSession(context: .client(trust: .any))
        _ = session.start()
        _ = session.takeCiphertext()
        let events = session.receive(Array(answer.utf8))
        #expect(events.failure?.code == .handshake)
        #expect(events.failure?.certificate == nil)
        #expect(events.failure?.underlying?.entries.isEmpty == false)
    }

    @Test("Random bytes never crash either side, at any moment")
    func garbage() throws {
        let (client, server) = try contexts(.tls13)
        var generator = SystemRandomNumberGenerator()
        for round in 0..<400 {
            let pair = try SessionPair(client: client, server: server)
            if round % 2 == 0 { pair.pump() } else { _ = (pair.client.start(), pair.server.start()) }
            var noise = (0..<Int.random(in: 1...600)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if round % 4 < 2 {
                // A plausible record header, so that more than the header's check is reached.
                noise = [UInt8.random(in: 20...24), 3, 3, UInt8(noise.count >> 8), UInt8(noise.count & 255)] + noise
            }
            _ = pair.client.receive(noise)
            _ = pair.server.receive(noise)
            let failure = (pair.client.receiveEnd() + pair.server.receiveEnd()).failure
            #expect(pair.client.state == .closed || pair.clientHandshake != nil || failure != nil)
            pair.client.close()
            pair.server.close()
            #expect(throws: TLSFailure.self) { try pair.client.send([1]) }
        }
    }

    @Test("A peer that offers only old TLS is refused")
    func oldVersion() throws {
        let session = try TLSSession(context: .client(trust: .any))
        _ = session.start()
        _ = session.takeCiphertext()
        // ServerHello that picks TLS 1.1.
        let body = [UInt8]([3, 2]) + [UInt8](repeating: 9, count: 32) + [0, 0xC0, 0x13, 0]
        let hello = [2, 0, 0, UInt8(body.count)] + body
        let events = session.receive([22, 3, 2, 0, UInt8(hello.count)] + hello)
        #expect(events.failure?.code == .handshake)
        #expect(events.failure?.message.contains("protocol") == true)
    }
}

extension [UInt8] {
    /// Where records begin up to `place`, whose byte was changed: nothing before it was.
    fileprivate func recordStarts(original place: Int) -> [Int] {
        var starts: [Int] = []
        var start = 0
        while start <= place, start + 5 <= count {
            starts.append(start)
            start += 5 + Int(self[start + 3]) << 8 + Int(self[start + 4])
        }
        return starts
    }
}
