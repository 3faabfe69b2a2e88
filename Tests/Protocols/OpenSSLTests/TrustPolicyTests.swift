import Foundation
import OpenSSL
import Testing

@Suite("Trust in a server's certificate")
struct TrustPolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var chain: String
        /// Nil for the distribution's authorities.
        var authority: String?
        var commonName: String?
        var host: String?
        /// Part of the reason for mistrust; nil when trusted.
        var mistrust: String?
    }

    static let serial = TestAuthority.serial
    static let rows = [
        Row(testDescription: "v1 leaf", chain: "v1.pem", authority: "ca.pem", commonName: serial, host: "127.0.0.1"),
        Row(testDescription: "leaf with its issuer", chain: "chain.pem", authority: "ca.pem", commonName: serial),
        Row(
            testDescription: "missing issuer is in the file",
            chain: "leaf.pem",
            authority: "bundle.pem",
            commonName: serial
        ),
        Row(
            testDescription: "only the issuer is in the file",
            chain: "leaf.pem",
            authority: "device.pem",
            commonName: serial
        ),
        Row(
            testDescription: "missing issuer is nowhere",
            chain: "leaf.pem",
            authority: "ca.pem",
            commonName: serial,
            mistrust: "unable to get local issuer"
        ),
        Row(
            testDescription: "another printer's name",
            chain: "v1.pem",
            authority: "ca.pem",
            commonName: "00M00A000000002",
            mistrust: "common name is “00M00A000000001”, not “00M00A000000002”"
        ),
        Row(
            testDescription: "the right name twice",
            chain: "two-names.pem",
            authority: "ca.pem",
            commonName: serial,
            mistrust: "common name is none"
        ),
        Row(
            testDescription: "the right name from another authority",
            chain: "v1.pem",
            authority: "other-ca.pem",
            commonName: serial,
            mistrust: "unable to get local issuer"
        ),
        Row(
            testDescription: "expired",
            chain: "expired.pem",
            authority: "ca.pem",
            commonName: serial,
            mistrust: "certificate has expired"
        ),
        Row(testDescription: "names the host", chain: "san.pem", authority: "ca.pem", host: "printer.test"),
        Row(testDescription: "names the address", chain: "san.pem", authority: "ca.pem", host: "127.0.0.1"),
        Row(
            testDescription: "names another host",
            chain: "san.pem",
            authority: "ca.pem",
            host: "other.test",
            mistrust: "hostname mismatch"
        ),
        Row(
            testDescription: "names another address",
            chain: "san.pem",
            authority: "ca.pem",
            host: "127.0.0.2",
            mistrust: "IP address mismatch"
        ),
        Row(testDescription: "no host to compare", chain: "san.pem", authority: "ca.pem", mistrust: "no host name"),
        Row(
            testDescription: "unknown to the distribution",
            chain: "chain.pem",
            host: "printer.test",
            mistrust: "unable to get local issuer"
        ),
    ]

    @Test("A server's certificate is trusted by authority", arguments: rows)
    func authority(row: Row) async throws {
        let files = try await TestAuthority.shared
        let trust =
            row.authority.map { TrustPolicy.authority(file: files.path($0), commonName: row.commonName) } ?? .system
        let pair = try SessionPair(client: .client(trust: trust), server: files.server(row.chain), host: row.host)
        pair.pump()
        if let mistrust = row.mistrust {
            let failure = try #require(pair.clientFailure)
            #expect(failure.code == (mistrust.hasPrefix("common name") ? .otherName : .untrusted))
            #expect(failure.message.contains(mistrust), "\(failure)")
            #expect(failure.certificate != nil)
            #expect(pair.clientHandshake == nil && pair.client.state == .closed)
            #expect(throws: TLSFailure.self) { try pair.client.send([1]) }
            #expect(pair.serverFailure != nil, "the alert has to reach the server")
        } else {
            #expect(pair.clientFailure == nil)
            #expect(pair.clientHandshake?.certificate?.commonName == Self.serial)
        }
    }

    @Test("A server's certificate is trusted by pin, in any spelling, whatever else is wrong with it")
    func pinned() async throws {
        let files = try await TestAuthority.shared
        let report = try CertificateReport(pem: files.pem("expired.pem"))
        let colons = report.fingerprint.uppercased().enumerated()
            .map { $0.offset % 2 == 0 && $0.offset > 0 ? ":\($0.element)" : "\($0.element)" }.joined()
        let policies: [TrustPolicy] = [
            .firstUse(sha256: nil), .firstUse(sha256: colons), .pinned(sha256: report.fingerprint),
            .pinned(sha256: colons),
        ]
        for trust in policies {
            let pair = try SessionPair(
                client: .client(trust: trust),
                server: files.server("expired.pem"),
                host: "anything.test"
            )
            pair.pump()
            #expect(pair.clientHandshake?.certificate == report)
        }
    }

    @Test("Another certificate than the pinned one is refused, and both are named")
    func pinChanged() async throws {
        let files = try await TestAuthority.shared
        let old = try CertificateReport(pem: files.pem("v1.pem"))
        let new = try CertificateReport(pem: files.pem("leaf.pem"))
        let pair = try SessionPair(
            client: .client(trust: .pinned(sha256: old.fingerprint)),
            server: files.server("chain.pem")
        )
        pair.pump()
        #expect(pair.clientFailure?.code == .certificateChanged(expected: old.fingerprint))
        #expect(pair.clientFailure?.certificate == new)
        #expect(pair.clientHandshake == nil)
        #expect(pair.serverFailure != nil)
    }

    @Test("Without any policy every certificate is taken")
    func any() async throws {
        let files = try await TestAuthority.shared
        let pair = try SessionPair(client: .client(trust: .any), server: files.server("expired.pem"))
        pair.pump()
        #expect(pair.clientHandshake != nil)
    }

    @Test("A trust context is shared by sessions with different fates")
    func shared() async throws {
        let files = try await TestAuthority.shared
        let context = try TLSContext.client(trust: .authority(file: files.path("ca.pem"), commonName: Self.serial))
        for (chain, trusted) in [("v1.pem", true), ("expired.pem", false), ("chain.pem", true), ("leaf.pem", false)] {
            let pair = try SessionPair(client: context, server: files.server(chain))
            pair.pump()
            #expect((pair.clientHandshake != nil) == trusted, "\(chain)")
        }
    }
}
