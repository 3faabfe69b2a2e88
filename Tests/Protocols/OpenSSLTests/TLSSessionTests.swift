import OpenSSL
import Testing

@Suite("A TLS session without I/O")
struct TLSSessionTests {
    static let certificate = Result { try SelfSignedCertificate.make(commonName: "00M00A000000001") }

    static func server(maximum: TLSVersion? = nil) throws -> TLSContext {
        let made = try certificate.get()
        return try .server(certificatePEM: made.certificatePEM, keyPEM: made.keyPEM, maximumVersion: maximum)
    }

    @Test(arguments: TLSVersion.allCases, [Int.max, 1])
    func `A TLS session shakes hands, carries bytes both ways, and ends`(version: TLSVersion, portion: Int) throws {
        let pair = try SessionPair(client: .client(trust: .any), server: Self.server(maximum: version))
        pair.pump(portion: portion)
        #expect(pair.clientHandshake?.protocolVersion == version)
        #expect(pair.clientHandshake?.certificate?.commonName == "00M00A000000001")
        #expect(pair.clientHandshake?.certificate?.fingerprint == (try Self.certificate.get().fingerprint))
        #expect(pair.serverHandshake != nil && pair.serverHandshake?.certificate == nil)

        let large = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try pair.client.send(large)
        try pair.server.send(Array("from the server".utf8))
        pair.pump(portion: portion)
        #expect(pair.serverEvents.bytes == large)
        #expect(pair.clientEvents.bytes == Array("from the server".utf8))

        pair.client.close()
        #expect(pair.client.state == .closing)
        pair.pump(portion: portion)
        #expect(pair.serverEvents.last == .inputClosed(.closeNotify))
        try pair.server.send([1])  // the other direction is still open
        pair.server.close()
        pair.pump(portion: portion)
        #expect(pair.clientEvents.bytes.last == 1)
        #expect(pair.clientEvents.last == .inputClosed(.closeNotify))
        #expect(pair.client.state == .closed && pair.server.state == .closed)
    }

    /// A ServerHello that picks TLS 1.1.
    private static let oldHello: [UInt8] =
        [22, 3, 2, 0, 42, 2, 0, 0, 38, 3, 2] + [UInt8](repeating: 9, count: 32) + [0, 0xC0, 0x13, 0]

    @Test(arguments: [
        (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "the port does not speak TLS"),
        (Array("RTSP/1.0 400 Bad Request\r\n\r\n".utf8), "the port does not speak TLS"),
        (Array("SSH-2.0-OpenSSH_9.2p1\r\n".utf8), "the port does not speak TLS"),
        ([0x15, 3, 3, 0, 2, 2, 40], "accepts none of our ciphers, or wants a certificate"),
        ([0x15, 3, 3, 0, 2, 2, 70], "no TLS version after 1.1"),
        ([0x15, 3, 3, 0, 2, 2, 112], "does not know the name"),
        ([0x15, 3, 3, 0, 2, 2, 80], "internal error"),
        ([0x15, 3, 3, 0, 2, 2, 255], "alert 255"),
        ([0x15, 3, 3, 0, 2, 1, 0], "ended by close_notify"),
        (oldHello, "protocol"),
    ])
    func `A TLS session says plainly what it got instead of a handshake`(answer: [UInt8], words: String) throws {
        let session = try TLSSession(context: .client(trust: .any))
        _ = session.start()
        guard case .failed(let failure)? = session.receive(answer).last else {
            Issue.record("no failure")
            return
        }
        #expect(failure.code == .handshake && failure.message.contains(words), "\(failure.message)")
        #expect(failure.certificate == nil)
    }

    @Test(arguments: TLSVersion.allCases)
    func `A handshake cut at any byte is a failure, not a wait`(version: TLSVersion) throws {
        // What a server says in one good handshake; a client cannot be fooled by replaying it with damage.
        let (client, server) = (try TLSContext.client(trust: .any), try Self.server(maximum: version))
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
}
