import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("Trust in a server's certificate")
struct TrustPolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let leaf: VendorChains.Leaf
        /// Nil for the distribution's authorities.
        let authorities: [String]?
        let commonName: String?
        let host: String?
        /// Part of the reason for mistrust; nil when trusted.
        let mistrust: String?

        init(
            _ description: String,
            _ leaf: VendorChains.Leaf,
            by authorities: [String]? = ["ca"],
            name commonName: String? = nil,
            host: String? = nil,
            _ mistrust: String? = nil
        ) {
            (testDescription, self.leaf, self.authorities) = (description, leaf, authorities)
            (self.commonName, self.host, self.mistrust) = (commonName, host, mistrust)
        }
    }

    static let serial = VendorChains.serial
    private static let unknown = "unable to get local issuer"
    static let rows = [
        Row("v1 leaf", .version1, name: serial, host: "127.0.0.1"),
        Row("leaf with its issuer", .withIssuer, by: ["ca2"], name: serial),
        Row("missing issuer is in the file", .alone, by: ["ca2", "device"], name: serial),
        Row("only the issuer is in the file", .alone, by: ["device"], name: serial),
        Row("missing issuer is nowhere", .alone, by: ["ca2"], name: serial, unknown),
        Row("another printer's name", .version1, name: "00M2", "common name is “00M00A000000001”, not “00M2”"),
        Row("the right name twice", .twoNames, name: serial, "common name is none"),
        Row("the right name from another authority", .version1, by: ["other-ca"], name: serial, unknown),
        Row("expired", .outdated, name: serial, "certificate has expired"),
        Row("names the host", .ofHost, host: "printer.test"),
        Row("names the address", .ofHost, host: "127.0.0.1"),
        Row("names another host", .ofHost, host: "other.test", "hostname mismatch"),
        Row("names another address", .ofHost, host: "127.0.0.2", "IP address mismatch"),
        Row("no host to compare", .ofHost, "no host name"),
        Row("unknown to the distribution", .withIssuer, by: nil, host: "printer.test", unknown),
    ]

    private let chains: VendorChains
    private let directory: TemporaryDirectory

    init() async throws {
        chains = try await VendorChains.shared
        directory = try TemporaryDirectory()
    }

    /// What becomes of a connection to a server with this certificate.
    private func pair(_ client: TLSContext, _ leaf: VendorChains.Leaf, host: String? = nil) throws -> SessionPair {
        let pair = try SessionPair(client: client, server: chains.server(leaf), host: host)
        pair.pump()
        return pair
    }

    @Test(arguments: rows)
    func `A server's certificate is trusted by authority`(row: Row) async throws {
        let file = directory.file("authorities.pem")
        try row.authorities?.map(chains.pem).joined().write(to: file, atomically: true, encoding: .utf8)
        let trust: TrustPolicy =
            row.authorities == nil ? .system : .authority(file: file.path, commonName: row.commonName)
        let pair = try pair(.client(trust: trust), row.leaf, host: row.host)
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

    @Test func `A pin in any spelling, or no policy, makes a certificate trusted, whatever is wrong`() async throws {
        let report = try CertificateReport(pem: chains.pem(.outdated))
        let colons = report.fingerprint.uppercased().enumerated()
            .map { $0.offset % 2 == 0 && $0.offset > 0 ? ":\($0.element)" : "\($0.element)" }.joined()
        let policies: [TrustPolicy] = [
            .firstUse(sha256: nil), .firstUse(sha256: colons), .pinned(sha256: report.fingerprint),
            .pinned(sha256: colons), .any,
        ]
        for trust in policies {
            let pair = try pair(.client(trust: trust), .outdated, host: "anything.test")
            #expect(pair.clientHandshake?.certificate == report)
        }
    }

    @Test func `Another certificate than the pinned one is refused, and both are named`() async throws {
        let old = try CertificateReport(pem: chains.pem(.version1))
        let new = try CertificateReport(pem: chains.pem(.alone))
        let pair = try pair(.client(trust: .pinned(sha256: old.fingerprint)), .withIssuer)
        #expect(pair.clientFailure?.code == .certificateChanged(expected: old.fingerprint))
        #expect(pair.clientFailure?.certificate == new)
        #expect(pair.clientHandshake == nil)
        #expect(pair.serverFailure != nil)
    }

    @Test func `A trust context is shared by sessions with different fates`() async throws {
        let context = try TLSContext.client(trust: .authority(file: chains.path("ca"), commonName: Self.serial))
        let rows: [(VendorChains.Leaf, Bool)] = [
            (.version1, true), (.outdated, false), (.renewed, true), (.alone, false),
        ]
        for (leaf, isTrusted) in rows {
            #expect(try (pair(context, leaf).clientHandshake != nil) == isTrusted, "\(leaf)")
        }
    }
}
