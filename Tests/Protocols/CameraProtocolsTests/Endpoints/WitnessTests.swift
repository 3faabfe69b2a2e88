import CameraProtocols
import Foundation
import OpenSSL
import Secrets
import TestSupport
import Testing

extension Endpoints {
    @Suite("What a server that records everything is told")
    struct WitnessTests {
        /// How a probe trusts the server.
        enum Trust: String, CaseIterable, Sendable {
            case firstUse, firstUseWithSerial, seenBefore, pinned, changed, any, printerCA

            var provesServer: Bool { self == .pinned || self == .printerCA }

            func policy(_ certificates: TestCertificates) async throws -> TrustPolicy {
                switch self {
                case .firstUse: .firstUse(sha256: nil)
                case .firstUseWithSerial: .named(TestCertificates.serial)
                case .seenBefore: .firstUse(sha256: try await certificates.fingerprint())
                case .pinned: .pinned(sha256: try await certificates.fingerprint())
                case .changed: .pinned(sha256: String(repeating: "ab", count: 32))
                case .any: .any
                case .printerCA:
                    .authority(file: certificates.authority.path, commonName: TestCertificates.serial)
                }
            }
        }

        @Test func `No unproven server gets the password or Basic credentials, in 105 combinations`() async throws {
            let certificates = try await Endpoints.certificates()
            let servers = try await WitnessServers(certificates: certificates)
            var combinations = 0
            for offer in WitnessServers.Offer.allCases {
                for trust in Trust.allCases {
                    let probe = StreamProbe(trust: try await trust.policy(certificates), deadlines: .generous)
                    for streamProtocol in StreamProtocol.allCases {
                        let row = "\(offer) \(trust) \(streamProtocol)"
                        let before = servers.heard(offer).count
                        let report = try await run(probe, streamProtocol, port: servers.port(offer))
                        let connections = report.connections
                        try await eventually("the server told what it heard") {
                            servers.heard(offer).count >= before + connections
                        }
                        let heard = Array(servers.heard(offer)[before...].joined())
                        let asksForPassword = streamProtocol == .jpeg || offer == .basic
                        #expect(isTold(heard) == (asksForPassword && trust.provesServer), "\(row)")
                        #expect(!"\(report)".contains(secret), "\(row)")
                        switch trust {
                        case .changed:
                            #expect(report.failure?.reason == .certificateChanged && heard.isEmpty, "\(row)")
                        case _ where asksForPassword && !trust.provesServer:
                            #expect(report.failure?.reason == .serverUnproven, "\(row): \(report)")
                            #expect(report.certificate?.commonName == TestCertificates.serial, "\(row)")
                            #expect(streamProtocol != .jpeg || heard.isEmpty, "\(row)")
                        case _: #expect(report.isHealthy, "\(row): \(report)")
                        }
                        combinations += 1
                    }
                }
            }
            #expect(combinations == 105)
            await servers.stop()
        }

        @Test func `Without TLS no server gets them either, whatever is trusted`() async throws {
            let servers = try await WitnessServers(certificates: nil)
            for offer in WitnessServers.Offer.allCases {
                for trust in [TrustPolicy.any, .pinned(sha256: String(repeating: "ab", count: 32)), .system] {
                    for scheme in ["rtsp", "http"] {
                        let before = servers.heard(offer).count
                        let url = try streamURL("\(scheme)://127.0.0.1:\(servers.port(offer))/streaming/live/1")
                        let report = await StreamProbe(trust: trust, deadlines: .generous).run(url)
                        try await eventually("the server told what it heard") {
                            servers.heard(offer).count >= before + report.connections
                        }
                        let row = "\(scheme) \(offer) \(trust)"
                        #expect(!isTold(Array(servers.heard(offer)[before...].joined())), "\(row)")
                        #expect(
                            report.failure?.reason == (offer == .basic ? .serverUnproven : nil),
                            "\(row): \(report)"
                        )
                    }
                }
            }
            await servers.stop()
        }

        private func run(_ probe: StreamProbe, _ streamProtocol: StreamProtocol, port: Int) async throws -> ProbeReport
        {
            switch streamProtocol {
            case .rtsp:
                return await probe.run(try streamURL("rtsps://127.0.0.1:\(port)/streaming/live/1"))
            case .http: return await probe.run(try streamURL("https://127.0.0.1:\(port)/?action=stream"))
            case .jpeg:
                let password = Secret(secret)
                return await probe.run(
                    try StreamURL.jpeg(host: "127.0.0.1", port: port, user: "bblp", password: password)
                )
            }
        }

        /// Whether bytes give the password away, as it is or as Basic credentials.
        private func isTold(_ bytes: [UInt8]) -> Bool {
            let data = Data(bytes)
            return [
                Data(secret.utf8), Data("Basic ".utf8), Data(Data("bblp:\(secret)".utf8).base64EncodedString().utf8),
            ]
            .contains { data.range(of: $0) != nil }
        }
    }
}
