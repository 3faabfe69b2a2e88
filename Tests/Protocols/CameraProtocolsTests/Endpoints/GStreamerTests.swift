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

        @Test(arguments: ServerAuthentication.allCases)
        func `With Basic, Digest and no authentication every depth is healthy`(_ authentication: ServerAuthentication)
            async throws
        {
            let certificates = try await Endpoints.certificates()
            let server = try await GStreamerRTSPServer(authentication, certificates: certificates)
            let fingerprint = try await certificates.fingerprint()
            for depth in ProbeDepth.allCases {
                let probe = StreamProbe(depth: depth, trust: .pinned(sha256: fingerprint), deadlines: .generous)
                let report = await run(probe, try streamURL(server.url))
                #expect(report.isHealthy, "\(depth): \(report)")
                #expect(report.failure == nil)
                #expect(report.latencies.count == [.tcp: 1, .tls: 2, .rtsp: 4, .media: 7][depth])
                #expect(report.latencies.values.allSatisfy { $0 > .zero && $0 < .seconds(10) })
                #expect(report.certificate?.fingerprint == (depth > .tcp ? fingerprint : nil))
                #expect(report.certificate?.commonName == (depth > .tcp ? TestCertificates.serial : nil))
                #expect(report.tlsVersion == (depth > .tcp ? "TLSv1.3" : nil))
                #expect(report.video == (depth > .tls ? Self.picture : nil))
            }
            await server.stop()
        }

        @Test(arguments: ServerAuthentication.allCases)
        func `Without TLS every depth is healthy; Basic is not tried`(_ authentication: ServerAuthentication)
            async throws
        {
            let server = try await GStreamerRTSPServer(authentication, certificates: nil)
            for depth in ProbeDepth.allCases {
                let probe = StreamProbe(depth: depth, deadlines: .generous)
                let report = await run(probe, try streamURL(server.url))
                if authentication == .basic, depth > .tls {
                    #expect(report.failure?.reason == .serverUnproven && report.failure?.cause == .basicInClear)
                } else {
                    #expect(report.isHealthy, "\(depth): \(report)")
                }
                #expect(report.certificate == nil && report.tlsVersion == nil)
            }
            await server.stop()
        }

        @Test(arguments: [true, false])
        func `Without a login in the address, a server that asks for none is healthy`(_ isEncrypted: Bool) async throws
        {
            let certificates = isEncrypted ? try await Endpoints.certificates() : nil
            let server = try await GStreamerRTSPServer(.none, certificates: certificates)
            let url = try StreamURL(parsing: server.url)
            #expect(url.user == nil && url.scheme == (isEncrypted ? .rtsps : .rtsp))
            let report = await run(StreamProbe(depth: .media, deadlines: .generous), url)
            #expect(report.isHealthy && report.video == Self.picture && !report.isAuthorized, "\(report)")
            await server.stop()
        }

        @Test func `What a user gets wrong has its own reason`() async throws {
            let certificates = try await Endpoints.certificates()
            let server = try await GStreamerRTSPServer(certificates: certificates)
            let basic = try await GStreamerRTSPServer(.basic, certificates: certificates)
            let plain = try await GStreamerRTSPServer(certificates: nil)
            // GnuTLS resets a connection that does not speak TLS; others send an alert, which is no RTSP.
            let plainToTLS = await StreamProbe(deadlines: .generous)
                .run(try streamURL(server.url.replacing("rtsps://", with: "rtsp://")))
            #expect([.rtspInvalid, .closedEarly].contains(plainToTLS.failure?.reason), "\(plainToTLS)")
            // Basic is sent to a server only that is proven.
            let trust = TrustPolicy.pinned(sha256: try await certificates.fingerprint())
            let probe = StreamProbe(trust: trust, deadlines: .generous)
            let closed = "rtsps://127.0.0.1:\(try freePort())/streaming/live/1"
            let rows: [(StreamURL, ProbeReason, ProbeStage)] = [
                (try streamURL(server.url, password: "wrong-code"), .unauthorized, .describe),
                (try streamURL(server.url, user: "nobody"), .unauthorized, .describe),
                (try streamURL(server.url, user: nil, password: nil), .unauthorized, .describe),
                (try streamURL(basic.url, password: "wrong-code"), .unauthorized, .describe),
                (try streamURL(server.url, path: "/streaming/live/2"), .notFound, .describe),
                (try streamURL(plain.url.replacing("rtsp://", with: "rtsps://")), .tlsFailed, .tls),
                (try streamURL(closed), .tcpRefused, .tcp),
                (try streamURL("rtsps://printer.invalid/streaming/live/1"), .dnsFailed, .dns),
            ]
            for (url, reason, stage) in rows {
                let report = await probe.run(url)
                #expect(report.failure?.reason == reason, "\(url): \(report)")
                #expect(report.failure?.stage == stage, "\(url): \(report)")
                #expect(!"\(report)".contains(secret) && !"\(report)".contains("wrong-code"))
            }
            for server in [server, basic, plain] { await server.stop() }
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
            await server.stop()
        }

        @Test func `H.265 is known, and a name is resolved`() async throws {
            let server = try await GStreamerRTSPServer(
                certificates: try await Endpoints.certificates(),
                options: ["--codec", "h265", "--size", "320x180"]
            )
            let url = try streamURL(server.url.replacing("127.0.0.1", with: "localhost"))
            let report = await StreamProbe(depth: .media, deadlines: .generous).run(url)
            #expect(report.isHealthy, "\(report)")
            #expect(report.video == VideoFormat(codec: .h265, width: 320, height: 180))
            #expect(report.latencies[.dns] != nil)
            await server.stop()
        }
    }
}
