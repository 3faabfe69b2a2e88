import CameraProtocols
import Foundation
import OpenSSL
import TestSupport
import Testing

extension Endpoints {
    @Suite("Against servers of other makes")
    struct OtherServerTests {
        private static let path = "/streaming/live/1"
        private static let picture = VideoFormat(codec: .h264, width: 320, height: 240)

        private static func probe(_ port: Int, _ depth: ProbeDepth, scheme: String = "rtsps") async throws
            -> ProbeReport
        {
            let url = try streamURL("\(scheme)://127.0.0.1:\(port)\(path)")
            // VLC asks for Basic, which is sent to a server only that is proven.
            let trust = TrustPolicy.pinned(sha256: try await Endpoints.certificates().fingerprint())
            return await StreamProbe(depth: depth, trust: trust, deadlines: .generous).run(url)
        }

        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/net/if_inet6")))
        func `A camera is reached by IPv6`() async throws {
            let server = try await FaultyRTSPServer(["none"], certificates: nil, options: ["--host", "::1"])
            let port = try #require(server.urls["none"]?.split(separator: ":").last?.split(separator: "/").first)
            let url = try streamURL("rtsp://[::1]:\(port)\(Self.path)")
            let report = await StreamProbe(depth: .media, deadlines: .generous).run(url)
            #expect(report.isHealthy, "\(report)")
        }

        @Test(.enabled(if: OtherRTSPServer.hasLIVE555))
        func `LIVE555 with its own TLS or behind stunnel is healthy at every depth, repeatedly`() async throws {
            let certificates = try await Endpoints.certificates()
            let encrypted = try await OtherRTSPServer.live555(certificates: certificates)
            let plain = try await OtherRTSPServer.live555()
            let stunnel = try await Stunnel(to: plain.port, certificates: certificates)
            for (port, scheme) in [(encrypted.port, "rtsps"), (stunnel.port, "rtsps"), (plain.port, "rtsp")] {
                for depth in ProbeDepth.allCases + [.media, .media] {
                    let report = try await Self.probe(port, depth, scheme: scheme)
                    #expect(report.isHealthy, "\(scheme) \(depth): \(report)")
                    #expect(report.video == (depth > .tls ? Self.picture : nil))
                }
            }
            let wrong = try streamURL("rtsps://127.0.0.1:\(encrypted.port)\(Self.path)", password: "87654321")
            #expect(await StreamProbe().run(wrong).failure?.reason == .unauthorized)
            let missing = try streamURL("rtsps://127.0.0.1:\(encrypted.port)/nothing")
            #expect(await StreamProbe().run(missing).failure?.reason == .notFound)
        }

        @Test(.enabled(if: OtherRTSPServer.hasVLC && Stunnel.isInstalled))
        func `VLC behind stunnel is described, and the probe reports that it sends no video over TCP`() async throws {
            let server = try await OtherRTSPServer.vlc()
            let stunnel = try await Stunnel(to: server.port, certificates: try await Endpoints.certificates())
            // On a loaded machine VLC listens, and answers 500, before it has opened its media.
            try await eventually("VLC describes its media") { try await Self.probe(stunnel.port, .rtsp).isHealthy }
            let described = try await Self.probe(stunnel.port, .rtsp)
            #expect(described.video?.codec == .h264)
            let played = try await Self.probe(stunnel.port, .media)
            #expect(played.failure?.reason == .rtspInvalid && played.failure?.stage == .setup, "\(played)")
            #expect(played.failure?.message.contains("461") == true, "\(played)")
        }
    }
}
