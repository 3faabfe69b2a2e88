import COpenSSL
import OpenSSL
import Testing

/// What libmosquitto does with our `SSL_CTX`: it makes its own `SSL` and sets the address as server name.
@Suite("A context in the hands of another library")
struct ForeignLibraryTests {
    struct Row: Sendable {
        var chain: String
        var commonName: String?
        var host: String?
        var trusted: Bool
    }

    @Test(
        "judges by its trust policy, and sends the right server name",
        arguments: [
            Row(chain: "san.pem", host: "printer.test", trusted: true),
            Row(chain: "san.pem", host: "127.0.0.1", trusted: true),
            Row(chain: "san.pem", host: "other.test", trusted: false),
            Row(chain: "san.pem", host: nil, trusted: false),
            Row(chain: "v1.pem", commonName: TestAuthority.serial, host: "10.1.2.3", trusted: true),
            Row(chain: "v1.pem", commonName: "another", host: "10.1.2.3", trusted: false),
        ]
    )
    func policy(row: Row) async throws {
        let files = try await TestAuthority.shared
        let trust = TrustPolicy.authority(file: files.path("ca.pem"), commonName: row.commonName)
        var context: TLSContext? = try .client(trust: trust, host: row.host)
        let held = try #require(context)
        let ssl = try #require(SSL_new(held.sslContext))
        defer { SSL_free(ssl) }
        let input = try #require(BIO_new(BIO_s_mem()))
        let output = try #require(BIO_new(BIO_s_mem()))
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        _ = "127.0.0.1".withCString {
            SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, 0, UnsafeMutableRawPointer(mutating: $0))
        }

        let server = try TLSSession(context: files.server(row.chain))
        _ = server.start()
        var hello: [UInt8] = []
        while true {
            ERR_clear_error()
            let done = SSL_do_handshake(ssl) == 1
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let sent = BIO_read(output, &bytes, Int32(bytes.count))
            if hello.isEmpty { hello = Array(bytes.prefix(Int(max(0, sent)))) }
            if sent > 0 { _ = server.receive(Array(bytes.prefix(Int(sent)))) }
            let answer = server.takeCiphertext()
            _ = BIO_write(input, answer, Int32(answer.count))
            if done || (sent <= 0 && answer.isEmpty) { break }
        }
        #expect((SSL_is_init_finished(ssl) == 1) == row.trusted)
        #expect(held.lastVerification?.certificate?.commonName == TestAuthority.serial)
        #expect((held.lastVerification?.failure == nil) == row.trusted)
        let sendsName = row.host?.hasSuffix(".test") == true
        #expect(hello.contains(Array((sendsName ? row.host : "127.0.0.1")?.utf8 ?? "".utf8)))
        context = nil
    }

    @Test("outlives the context that made it")
    func lifetime() throws {
        let made = try SelfSignedCertificate.make(commonName: "x")
        let ssl: OpaquePointer
        do {
            let context = try TLSContext.client(trust: .pinned(sha256: made.fingerprint))
            ssl = try #require(SSL_new(context.sslContext))
        }
        defer { SSL_free(ssl) }
        let input = try #require(BIO_new(BIO_s_mem()))
        let output = try #require(BIO_new(BIO_s_mem()))
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        let server = try TLSSession(
            context: .server(certificatePEM: made.certificatePEM, keyPEM: made.keyPEM)
        )
        _ = server.start()
        for _ in 0..<3 {
            SSL_do_handshake(ssl)
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let sent = BIO_read(output, &bytes, Int32(bytes.count))
            if sent > 0 { _ = server.receive(Array(bytes.prefix(Int(sent)))) }
            let answer = server.takeCiphertext()
            _ = BIO_write(input, answer, Int32(answer.count))
        }
        #expect(SSL_is_init_finished(ssl) == 1)
    }
}
