import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("A maker's certificate proves a device")
struct DeviceCertificateTests {
    enum Outcome: Sendable, Hashable {
        case proven
        /// Accepted by the rest of the policy.
        case unproven
        case refused(TLSFailure.Detail?)
    }

    /// What decides about other certificates.
    enum Otherwise: Sendable, Hashable {
        case nothing, name
        /// A pin with this certificate, or with another.
        case firstUse(isThis: Bool), pinned(isThis: Bool)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var leaf: VendorChains.Leaf
        /// The authorities at hand.
        var kept = ["ca", "ca2", "device"]
        var known = ["ca", "ca2", "expired-ca"]
        var otherwise = Otherwise.name
        var outcome: Outcome

        var testDescription: String { "\(leaf), \(kept), \(otherwise): \(outcome)" }

        init(_ leaf: VendorChains.Leaf, _ outcome: Outcome, _ change: (inout Row) -> Void = { _ in }) {
            (self.leaf, self.outcome) = (leaf, outcome)
            change(&self)
        }
    }

    static let rows = [
        Row(.version1, .proven), Row(.alone, .proven), Row(.withIssuer, .proven), Row(.renewed, .proven),
        Row(.withIssuer, .proven) { $0.kept = ["ca2"] },
        Row(.newSeries, .proven) { $0.kept.append("new-device") },
        // The issuer is not at hand.
        Row(.newSeries, .unproven), Row(.newSeries, .refused(.unknownIssuer)) { $0.otherwise = .nothing },
        Row(.alone, .unproven) { $0.kept = ["ca", "ca2"] }, Row(.alone, .unproven) { $0.kept = ["device"] },
        Row(.version1, .unproven) { $0.kept = ["ca2"] }, Row(.version1, .unproven) { $0.kept = [] },
        Row(.unknownIssuer, .unproven), Row(.unknownIssuer, .refused(.unknownIssuer)) { $0.otherwise = .nothing },
        // A root in the file is not one of the maker's.
        Row(.version1, .unproven) { $0.known = ["ca2"] },
        Row(.forged, .unproven) { $0.kept = ["forged-ca"] },
        // The names are right, and the signature is wrong.
        Row(.forged, .refused(.forged)), Row(.forgedWithKey, .refused(.forged)), Row(.forgedChain, .refused(.forged)),
        Row(.version1, .refused(.forged)) { $0.kept = ["forged-ca"] },
        Row(.forged, .refused(.forged)) { $0.kept = ["expired-ca"] },
        Row(.application, .refused(.forged)),
        Row(.forged, .refused(.forged)) { $0.otherwise = .nothing },
        Row(.expiredRoot, .unproven) { $0.kept = ["expired-ca"] },
        Row(.expiredRoot, .refused(.expired)) { ($0.kept, $0.otherwise) = (["expired-ca"], .nothing) },
        Row(.otherPrinter, .refused(nil)), Row(.otherPrinter, .refused(nil)) { $0.otherwise = .nothing },
        // A pin decides as without authorities, unless they prove another certificate.
        Row(.renewed, .proven) { $0.otherwise = .firstUse(isThis: false) },
        Row(.renewed, .proven) { $0.otherwise = .pinned(isThis: false) },
        Row(.unknownIssuer, .unproven) { $0.otherwise = .firstUse(isThis: true) },
        Row(.unknownIssuer, .proven) { $0.otherwise = .pinned(isThis: true) },
        Row(.unknownIssuer, .refused(nil)) { $0.otherwise = .firstUse(isThis: false) },
        Row(.unknownIssuer, .refused(nil)) { $0.otherwise = .pinned(isThis: false) },
        Row(.expiredRoot, .proven) { ($0.kept, $0.otherwise) = (["expired-ca"], .pinned(isThis: true)) },
        Row(.forged, .unproven) { $0.otherwise = .firstUse(isThis: true) },
        Row(.forged, .refused(nil)) { $0.otherwise = .firstUse(isThis: false) },
        Row(.otherPrinter, .unproven) { $0.otherwise = .firstUse(isThis: true) },
    ]

    @Test(arguments: rows)
    func `Chain, issuer and name prove a device; otherwise the rest of the policy decides`(row: Row) async throws {
        let chains = try await VendorChains.shared
        let directory = try TemporaryDirectory()
        let file = directory.file("kept.pem")
        try row.kept.map(chains.pem).joined().write(to: file, atomically: true, encoding: .utf8)
        let trust = try policy(row, file.path, chains)
        let server = try chains.server(row.leaf)
        let pair = try SessionPair(client: .client(trust: trust), server: server)
        pair.pump()
        let outcome: Outcome =
            if let handshake = pair.clientHandshake {
                handshake.isPeerProven ? .proven : .unproven
            } else {
                .refused(pair.clientFailure?.detail)
            }
        #expect(outcome == row.outcome, "\(String(describing: pair.clientFailure))")
        #expect((pair.serverFailure != nil) == (pair.clientFailure != nil), "the alert has to reach the server")
        // A policy that claims to accept proven servers only must do so.
        #expect(!trust.provesServer || outcome != .unproven)
        let proving = try SessionPair(client: .client(trust: trust.proving), server: server)
        proving.pump()
        #expect((proving.clientHandshake != nil) == (outcome == .proven), "only what is proven is left")
    }

    private func policy(_ row: Row, _ file: String, _ chains: VendorChains) throws -> TrustPolicy {
        let this = try CertificateReport(pem: chains.pem(row.leaf)).fingerprint
        func pin(_ isThis: Bool) -> String { isThis ? this : String(repeating: "5a", count: 32) }
        let otherwise: TrustPolicy? =
            switch row.otherwise {
            case .nothing: nil
            case .name: .named(VendorChains.serial)
            case .firstUse(let isThis): .firstUse(sha256: pin(isThis))
            case .pinned(let isThis): .pinned(sha256: pin(isThis))
            }
        let device = DeviceCertificate(
            file: file,
            roots: Set(try row.known.map { try CertificateReport(pem: chains.pem($0)).fingerprint }),
            issuers: ["BBL CA"],
            issuerPrefix: "BBL Device CA ",
            commonName: VendorChains.serial
        )
        return .device(device, otherwise: otherwise)
    }

    @Test func `The next connection uses changed authorities, and a damaged file proves nothing`() async throws {
        let chains = try await VendorChains.shared
        let directory = try TemporaryDirectory()
        let file = directory.file("kept.pem")
        let trust = try policy(Row(.version1, .proven), file.path, chains)
        let server = try chains.server(.version1)
        let contents: [(String?, Bool)] = [(nil, false), (try chains.pem("ca"), true), ("damaged", false)]
        for (content, isProven) in contents {
            try content?.write(to: file, atomically: true, encoding: .utf8)
            let pair = try SessionPair(client: .shared(trust: trust), server: server)
            pair.pump()
            #expect(pair.clientHandshake?.isPeerProven == isProven, "\(content ?? "no file")")
        }
    }
}
