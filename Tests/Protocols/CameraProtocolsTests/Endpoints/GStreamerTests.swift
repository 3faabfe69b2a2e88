import CameraProtocols
import Foundation
import OpenSSL
import TestSupport
import Testing

extension Endpoints {
    @Suite("Against GStreamer's server")
    struct GStreamerTests {
        private static let picture = VideoFormat(codec: .h264, width: 640, height: 360)

        /// Runs again while GStreamer answers DESCRIBE with 503: it does while it puts an encoder away.
        private func run(_ probe: StreamProbe, _ url: StreamURL) async -> ProbeReport {
            for _ in 0..<50 {
                let report = await probe.run(url)
                guard report.failure?.reason == .busy, report.failure?.stage == .describe else { return report }
            }
            return await probe.run(url)
        }

        @Test(arguments: ServerAuthentication.allCases, [true, false])
        func `With each login, with TLS or without, every depth is healthy; Basic needs TLS`(
            _ authentication: ServerAuthentication,
            _ isEncrypted: Bool
        ) async throws {
            let certificates = try await Endpoints.certificates()
            let server = try await GStreamerRTSPServer(authentication, certificates: isEncrypted ? certificates : nil)
            let fingerprint = try await certificates.fingerprint()
            let url = authentication == .none ? try StreamURL(parsing: server.url) : try streamURL(server.url)
            #expect(url.scheme == (isEncrypted ? .rtsps : .rtsp))
            for depth in ProbeDepth.allCases {
                let trust: TrustPolicy = isEncrypted ? .pinned(sha256: fingerprint) : .any
                let report = await run(StreamProbe(depth: depth, trust: trust, deadlines: .generous), url)
                let hasTLS = isEncrypted && depth > .tcp
                #expect(report.certificate?.fingerprint == (hasTLS ? fingerprint : nil))
                #expect(report.certificate?.commonName == (hasTLS ? TestCertificates.serial : nil))
                #expect(report.tlsVersion == (hasTLS ? "TLSv1.3" : nil))
                #expect(report.isAuthorized == (report.isHealthy && authentication != .none && depth > .tls))
                if authentication == .basic, !isEncrypted, depth > .tls {
                    #expect(report.failure?.reason == .serverUnproven && report.failure?.cause == .basicInClear)
                    continue
                }
                #expect(report.isHealthy && report.failure == nil, "\(depth): \(report)")
                let stages = [.tcp: 1, .tls: isEncrypted ? 2 : 1, .rtsp: 3, .media: 6][depth, default: 0]
                #expect(report.latencies.count == (isEncrypted && depth > .tls ? stages + 1 : stages))
                #expect(report.latencies.values.allSatisfy { $0 > .zero && $0 < .seconds(30) })
                #expect(report.video == (depth > .tls ? Self.picture : nil))
            }
        }

        @Test(.enabled(if: Stunnel.isInstalled), arguments: ["TLSv1.2", "TLSv1.3"])
        func `Behind stunnel, with TLS 1.2 and 1.3, every depth is healthy`(_ version: String) async throws {
            let certificates = try await Endpoints.certificates()
            let server = try await GStreamerRTSPServer(certificates: nil)
            let (port, options) = (try StreamURL(parsing: server.url).port, ["sslVersionMax = \(version)"])
            let stunnel = try await Stunnel(to: port, certificates: certificates, options: options)
            let url = try streamURL("rtsps://127.0.0.1:\(stunnel.port)/streaming/live/1")
            for depth in ProbeDepth.allCases {
                let report = await run(StreamProbe(depth: depth, deadlines: .generous), url)
                #expect(report.isHealthy && report.tlsVersion == (depth > .tcp ? version : nil), "\(depth): \(report)")
            }
        }

        @Test func `What a user gets wrong has its own reason`() async throws {
            let certificates = try await Endpoints.certificates()
            let server = try await GStreamerRTSPServer(certificates: certificates)
            // GnuTLS resets a connection that does not speak TLS; others send an alert, which is no RTSP.
            let plainToTLS = await StreamProbe(deadlines: .generous)
                .run(try streamURL(server.url.replacing("rtsps://", with: "rtsp://")))
            #expect([.rtspInvalid, .closedEarly].contains(plainToTLS.failure?.reason), "\(plainToTLS)")
            let probe = StreamProbe(deadlines: .generous)
            let closed = "rtsps://127.0.0.1:\(try freePort())/streaming/live/1"
            let rows: [(StreamURL, ProbeReason, ProbeStage)] = [
                (try streamURL(server.url, password: "wrong-code"), .unauthorized, .describe),
                (try streamURL(server.url, user: "nobody"), .unauthorized, .describe),
                (try streamURL(server.url, user: nil, password: nil), .unauthorized, .describe),
                (try streamURL(server.url, path: "/streaming/live/2"), .notFound, .describe),
                (try streamURL(closed), .tcpRefused, .tcp),
                (try streamURL("rtsps://printer.invalid/streaming/live/1"), .dnsFailed, .dns),
            ]
            for (url, reason, stage) in rows {
                let report = await probe.run(url)
                #expect(report.failure?.reason == reason, "\(url): \(report)")
                #expect(report.failure?.stage == stage, "\(url): \(report)")
                #expect(!"\(report)".contains(secret) && !"\(report)".contains("wrong-code"))
            }
        }

        @Test
        func `Teardown frees the only session for the next probe, and then a crowd shares the server`() async throws {
            let certificates = try await Endpoints.certificates()
            let server = try await GStreamerRTSPServer(certificates: certificates, options: ["--max-sessions", "1"])
            let probe = StreamProbe(depth: .media, deadlines: .generous)
            let url = try streamURL(server.url)
            for _ in 0..<3 { #expect(await run(probe, url).isHealthy) }
            // Those who come while the one place is taken are told that it is.
            let outcomes = await withTaskGroup(of: ProbeReport.self) { group in
                for _ in 0..<8 { group.addTask { await probe.run(url) } }
                return await group.reduce(into: []) { $0.append($1.failure?.reason) }
            }
            #expect(outcomes.contains(nil))
            #expect(outcomes.allSatisfy { $0 == nil || $0 == .busy }, "\(outcomes)")
            #expect(try socketCount(toPort: url.port) == 0)
        }
    }
}
