import CameraProtocols
import OpenSSL
import Synchronization
import TestSupport
import Testing

extension WaitingEndpoints {
    @Suite("Against real servers of pictures over HTTP")
    struct MJPEGServerTests {
        private static let none = VideoFormat(codec: .mjpeg, width: 640, height: 480)
        private static let test = VideoFormat(codec: .mjpeg, width: 320, height: 240)

        private func url(_ server: MJPEGServer, _ path: String, scheme: String = "http") throws -> StreamURL {
            try streamURL("\(scheme)://127.0.0.1:\(server.port)\(path)")
        }

        private func probe(_ depth: ProbeDepth = .media, trust: TrustPolicy = .any) -> StreamProbe {
            var probe = StreamProbe(depth: depth, trust: trust, deadlines: .short(for: nil))
            probe.clearLogin = .any
            return probe
        }

        /// Watches until three pictures are there.
        private func watch(_ url: StreamURL, trust: TrustPolicy = .any) async throws {
            let count = Mutex(0)
            let watch = Task { await probe(trust: trust).watch(url) { _ in count.withLock { $0 += 1 } } }
            try await eventually("three pictures of \(url)") { count.withLock { $0 >= 3 } }
            watch.cancel()
            #expect(await watch.value.outcome == .cancelled)
        }

        @Test(.enabled(if: ChildProcess.isInstalled("ustreamer")), arguments: [true, false])
        func `µStreamer's stream and snapshot are healthy at every depth`(_ hasLogin: Bool) async throws {
            let server = try await MJPEGServer.ustreamer(hasLogin: hasLogin)
            for path in ["/stream?dual_final_frames=1", "/snapshot"] {
                for depth in ProbeDepth.allCases {
                    let report = await probe(depth).run(try url(server, path))
                    #expect(report.isHealthy, "\(path) \(depth): \(report)")
                    #expect(
                        report.video == (depth < .rtsp ? nil : depth == .rtsp ? VideoFormat(codec: .mjpeg) : Self.none)
                    )
                    #expect(report.isAuthorized == (hasLogin && depth > .tls) && report.connections == 1)
                }
            }
            try await watch(try url(server, "/stream"))
            #expect(await probe().run(try url(server, "/missing")).failure?.reason == .notFound)
            let page = await probe().run(try url(server, "/"))
            #expect(page.failure?.reason == .noVideo && page.failure?.message.contains("text/html") == true, "\(page)")
            let wrong = try streamURL("http://127.0.0.1:\(server.port)/stream", password: "wrong-code")
            #expect(await probe().run(wrong).failure?.reason == (hasLogin ? .unauthorized : nil))
        }

        /// All at once: motion takes seconds to start, and for each picture.
        @Test(.enabled(if: ChildProcess.isInstalled("motion")))
        func `The program motion is healthy with each way to log in, with TLS and without`() async throws {
            let kinds = ServerAuthentication.allCases.flatMap { [($0, true), ($0, false)] }
            try await concurrently(kinds) { try await checkMotion($0, $1) }
        }

        private func checkMotion(_ authentication: ServerAuthentication, _ isEncrypted: Bool) async throws {
            let certificates = try await Endpoints.certificates()
            let trust: TrustPolicy = isEncrypted ? .pinned(sha256: try await certificates.fingerprint()) : .any
            let server = try await MJPEGServer.motion(authentication, certificates: isEncrypted ? certificates : nil)
            let scheme = isEncrypted ? "https" : "http"
            let stream = try url(server, "/", scheme: scheme)
            try await eventually("a picture") {
                let failure = await probe(trust: trust).run(stream).failure?.reason
                return failure != .tcpRefused && failure != .closedEarly
            }
            for path in ["/", "/current"] {
                let report = await probe(trust: trust).run(try url(server, path, scheme: scheme))
                #expect(report.isHealthy && report.video == Self.test, "\(path): \(report)")
                #expect(report.isAuthorized == (authentication != .none))
                #expect(report.connections <= 2)
            }
            try await watch(stream, trust: trust)
            let wrong = try streamURL("\(scheme)://127.0.0.1:\(server.port)/", password: "wrong-code")
            let refused = await probe(trust: trust).run(wrong)
            #expect(refused.failure?.reason == (authentication == .none ? nil : .unauthorized), "\(refused)")
            if isEncrypted {
                let plain = await probe().run(try url(server, "/"))
                #expect([.rtspInvalid, .closedEarly].contains(plain.failure?.reason), "\(plain)")
                if authentication == .basic {
                    let unproven = await probe().run(stream)
                    #expect(unproven.failure?.cause == .basicWithheld, "\(unproven)")
                }
            }
        }
    }
}
