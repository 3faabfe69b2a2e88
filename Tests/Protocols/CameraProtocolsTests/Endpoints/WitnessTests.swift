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
                case .changed: .otherPin
                case .any: .any
                case .printerCA: .authority(file: certificates.authority.path, commonName: TestCertificates.serial)
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
                        let url = try address(streamProtocol, port: servers.port(offer))
                        let (report, heard) = try await run(probe, url, servers, offer)
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
        }

        @Test func `Without TLS no server gets them either, whatever is trusted`() async throws {
            let servers = try await WitnessServers(certificates: nil)
            for offer in WitnessServers.Offer.allCases {
                for trust in [TrustPolicy.any, .otherPin, .system] {
                    for scheme in ["rtsp", "http"] {
                        let url = try streamURL("\(scheme)://127.0.0.1:\(servers.port(offer))/streaming/live/1")
                        let probe = StreamProbe(trust: trust, deadlines: .generous)
                        let (report, heard) = try await run(probe, url, servers, offer)
                        let reason: ProbeReason? = offer == .basic ? .serverUnproven : nil
                        #expect(!isTold(heard) && report.failure?.reason == reason, "\(url) \(trust): \(report)")
                    }
                }
            }
        }

        /// What a probe says, and what the server heard of it.
        private func run(
            _ probe: StreamProbe,
            _ url: StreamURL,
            _ servers: WitnessServers,
            _ offer: WitnessServers.Offer
        ) async throws -> (ProbeReport, heard: [UInt8]) {
            let before = servers.heard(offer).count
            let report = await probe.run(url)
            try await eventually("the server told what it heard") {
                servers.heard(offer).count >= before + report.connections
            }
            return (report, Array(servers.heard(offer)[before...].joined()))
        }

        private func address(_ streamProtocol: StreamProtocol, port: Int) throws -> StreamURL {
            switch streamProtocol {
            case .rtsp: try streamURL("rtsps://127.0.0.1:\(port)/streaming/live/1")
            case .http: try streamURL("https://127.0.0.1:\(port)/?action=stream")
            case .jpeg: try .jpeg(host: "127.0.0.1", port: port, user: "bblp", password: Secret(secret))
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
