import Foundation
import OpenSSL
import Testing

@Suite("Trust in a server's certificate")
struct TrustPolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let chain: String
        /// Nil for the distribution's authorities.
        let authority: String?
        let commonName: String?
        let host: String?
        /// Part of the reason for mistrust; nil when trusted.
        let mistrust: String?

        init(
            _ description: String,
            _ chain: String,
            by authority: String? = "ca.pem",
            name commonName: String? = nil,
            host: String? = nil,
            _ mistrust: String? = nil
        ) {
            (testDescription, self.chain, self.authority) = (description, chain, authority)
            (self.commonName, self.host, self.mistrust) = (commonName, host, mistrust)
        }
    }

    static let serial = TestAuthority.serial
    private static let unknown = "unable to get local issuer"
    static let rows = [
        Row("v1 leaf", "v1.pem", name: serial, host: "127.0.0.1"),
        Row("leaf with its issuer", "chain.pem", name: serial),
        Row("missing issuer is in the file", "leaf.pem", by: "bundle.pem", name: serial),
        Row("only the issuer is in the file", "leaf.pem", by: "device.pem", name: serial),
        Row("missing issuer is nowhere", "leaf.pem", name: serial, unknown),
        Row("another printer's name", "v1.pem", name: "00M2", "common name is “00M00A000000001”, not “00M2”"),
        Row("the right name twice", "two-names.pem", name: serial, "common name is none"),
        Row("the right name from another authority", "v1.pem", by: "other-ca.pem", name: serial, unknown),
        Row("expired", "expired.pem", name: serial, "certificate has expired"),
        Row("names the host", "san.pem", host: "printer.test"),
        Row("names the address", "san.pem", host: "127.0.0.1"),
        Row("names another host", "san.pem", host: "other.test", "hostname mismatch"),
        Row("names another address", "san.pem", host: "127.0.0.2", "IP address mismatch"),
        Row("no host to compare", "san.pem", "no host name"),
        Row("unknown to the distribution", "chain.pem", by: nil, host: "printer.test", unknown),
    ]

    @Test(arguments: rows)
    func `A server's certificate is trusted by authority`(row: Row) async throws {
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

    @Test func `A pin in any spelling makes a server's certificate trusted, whatever else is wrong`() async throws {
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

    @Test func `Another certificate than the pinned one is refused, and both are named`() async throws {
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

    @Test func `Without any policy every certificate is taken`() async throws {
        let files = try await TestAuthority.shared
        let pair = try SessionPair(client: .client(trust: .any), server: files.server("expired.pem"))
        pair.pump()
        #expect(pair.clientHandshake != nil)
    }

    @Test func `A trust context is shared by sessions with different fates`() async throws {
        let files = try await TestAuthority.shared
        let context = try TLSContext.client(trust: .authority(file: files.path("ca.pem"), commonName: Self.serial))
        for (chain, trusted) in [("v1.pem", true), ("expired.pem", false), ("chain.pem", true), ("leaf.pem", false)] {
            let pair = try SessionPair(client: context, server: files.server(chain))
            pair.pump()
            #expect((pair.clientHandshake != nil) == trusted, "\(chain)")
        }
    }
}
