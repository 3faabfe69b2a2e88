import Foundation
import NIOCore
import OpenSSL
import Synchronization
import TestSupport
import Testing

@testable import CameraProtocols

extension Endpoints {
    @Suite("Against cameras that speak HTTP")
    struct HTTPCameraTests {
        private static let picture = HTTPParserTests.one
        private static let mixed = "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=b\r\n\r\n"
        private static let part = "--b\r\nContent-Type: image/jpeg\r\n\r\n"
        /// Pictures without end, ten a second.
        private static let stream = HTTPCamera.Reply(
            mixed.httpBytes + part.httpBytes + picture,
            "\r\n".httpBytes + part.httpBytes + picture,
            end: .flood,
            interval: .milliseconds(100)
        )
        private static let single = HTTPCamera.Reply(
            "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.count)\r\n\r\n",
            picture,
            end: .close
        )

        private func url(_ camera: HTTPCamera, _ userInfo: String = "", scheme: String = "http") throws -> StreamURL {
            try StreamURL(parsing: "\(scheme)://\(userInfo)127.0.0.1:\(camera.port)/?action=stream")
        }

        @Test(
            "A stream and a single picture are healthy at every depth, over one connection that is closed",
            arguments: [true, false]
        )
        func healthy(_ isStream: Bool) async throws {
            let camera = try await HTTPCamera { _ in isStream ? Self.stream : Self.single }
            for depth in ProbeDepth.allCases {
                let found = await StreamProbe(depth: depth, deadlines: .generous)
                    .look(at: try url(camera), keepsPicture: depth == .media)
                #expect(found.report.isHealthy && found.streamProtocol == .http, "\(found.report)")
                #expect(found.report.latencies.count == [.tcp: 1, .tls: 1, .rtsp: 2, .media: 3][depth])
                #expect(found.picture?.bytes == (depth == .media ? Self.picture : nil))
                #expect(found.report.connections == 1)
            }
            try await eventually("all are closed") { camera.open == 0 }
            #expect(camera.opened == 4 && camera.requests.count == 2)
        }

        @Test("A stream is left at once: a probe of it does not wait for an end that never comes")
        func leaves() async throws {
            let camera = try await HTTPCamera { _ in Self.stream }
            var deadlines = ProbeDeadlines.generous
            deadlines.closing = .seconds(30)
            let start = ContinuousClock.now
            #expect(await StreamProbe(depth: .media, deadlines: deadlines).run(try url(camera)).isHealthy)
            #expect(ContinuousClock.now - start < .seconds(15))
        }

        @Test("An answer may take as long as a picture: some cameras take the picture first")
        func slowAnswer() async throws {
            let (single, nothing) = (Self.single.pieces.flatMap(\.self), [UInt8]())
            let reply = HTTPCamera.Reply(nothing, single, end: .close, interval: .milliseconds(800))
            let camera = try await HTTPCamera { _ in reply }
            var deadlines = ProbeDeadlines.generous
            deadlines.answer = .milliseconds(200)
            let report = await StreamProbe(depth: .media, deadlines: deadlines).run(try url(camera))
            #expect(report.isHealthy, "\(report)")
        }

        /// A camera with a login, as small servers are: it closes the connection, tells no length, or keeps it.
        private func locked(_ offer: String, _ head: String, end: HTTPCamera.Reply.End) async throws -> HTTPCamera {
            try await HTTPCamera(tls: try await Self.tls()) { request in
                request.contains("Authorization: ")
                    ? Self.stream
                    : HTTPCamera.Reply(
                        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(offer)\r\n\(head)\r\nno",
                        end: end
                    )
            }
        }

        private static func tls() async throws -> TLSContext {
            let certificates = try await Endpoints.certificates()
            return try TLSContext.server(
                certificatePEM: String(contentsOf: certificates.chain, encoding: .utf8),
                keyPEM: String(contentsOf: certificates.key, encoding: .utf8)
            )
        }

        static let closings: [(String, HTTPCamera.Reply.End, Int)] = [
            ("Content-Length: 2\r\n", .silence, 1), ("Content-Length: 2\r\n", .close, 2), ("", .close, 2),
            ("Connection: close\r\n", .silence, 2), ("", .silence, 2), ("Content-Length: 2\r\n", .reset, 2),
        ]

        @Test("A login follows on the same connection, or on a second one", arguments: closings)
        func login(_ head: String, _ end: HTTPCamera.Reply.End, _ connections: Int) async throws {
            for offer in [HTTPConversationTests.digest, HTTPConversationTests.basic] {
                let camera = try await locked(offer, head, end: end)
                let trust = TrustPolicy.pinned(sha256: try await Endpoints.certificates().fingerprint())
                let report = await StreamProbe(depth: .media, trust: trust, deadlines: .generous)
                    .run(try url(camera, "bblp:\(secret)@", scheme: "https"))
                #expect(report.isHealthy && report.isAuthorized && report.isServerProven, "\(offer): \(report)")
                #expect(report.connections == connections && camera.opened == connections)
                #expect(camera.requests.map(\.connection) == [1, connections])
                #expect(!"\(report)".contains(secret))
            }
        }

        @Test("A camera that finds the first nonce too old gets a login with the next one, closing each connection")
        func stale() async throws {
            let camera = try await HTTPCamera { request in
                let isStale = request.contains("nonce=\"1\"")
                let challenge = isStale ? "nonce=\"2\", stale=true" : "nonce=\"1\""
                let head = "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", \(challenge)\r\n\r\n"
                return request.contains("nonce=\"2\"") ? Self.stream : HTTPCamera.Reply(head, end: .close)
            }
            let report = await StreamProbe(depth: .media, deadlines: .generous).run(try url(camera, "u:\(secret)@"))
            #expect(
                report.isHealthy && report.isAuthorized && report.connections == 3 && camera.opened == 3,
                "\(report)"
            )
        }

        @Test("Basic goes to a proven server only, and not at all to a stranger")
        func unproven() async throws {
            let camera = try await locked(HTTPConversationTests.basic, "", end: .close)
            let report = await StreamProbe(deadlines: .generous).run(try url(camera, "u:\(secret)@", scheme: "https"))
            #expect(report.failure?.reason == .serverUnproven && report.failure?.cause == .basicWithheld, "\(report)")
            #expect(camera.requests.allSatisfy { !$0.text.contains("Authorization") } && camera.opened == 1)
        }

        @Test("A login without TLS is the owner's decision", arguments: [ClearLogin.never, .digest, .any])
        func clear(_ clearLogin: ClearLogin) async throws {
            for (offer, allowed) in [
                (HTTPConversationTests.digest, clearLogin != .never), (HTTPConversationTests.basic, clearLogin == .any),
            ] {
                let camera = try await HTTPCamera { request in
                    let head = "HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: \(offer)\r\n\r\n"
                    return request.contains("Authorization: ") ? Self.single : HTTPCamera.Reply(head, end: .close)
                }
                var probe = StreamProbe(depth: .media, deadlines: .generous)
                probe.clearLogin = clearLogin
                let report = await probe.run(try url(camera, "u:\(secret)@"))
                #expect(report.isHealthy == allowed, "\(offer): \(report)")
                #expect(report.failure?.reason == (allowed ? nil : .serverUnproven))
                #expect(camera.requests.contains { $0.text.contains("Authorization") } == allowed)
            }
        }

        @Test("A watch gives one picture after the other over one connection, and ends when it is cancelled")
        func watch() async throws {
            let camera = try await HTTPCamera { _ in Self.stream }
            let count = Mutex(0)
            let watch = Task { [url = try url(camera)] in
                await StreamProbe(deadlines: .generous).watch(url) { picture in
                    if picture.bytes == Self.picture { count.withLock { $0 += 1 } }
                }
            }
            try await eventually("five pictures") { count.withLock { $0 >= 5 } }
            #expect(camera.open == 1)
            watch.cancel()
            #expect(await watch.value.outcome == .cancelled)
            try await eventually("closed") { camera.open == 0 }
            #expect(camera.opened == 1)
        }

        /// What a camera does after two pictures, and how a watch of it ends.
        static let watchEndings: [(String, HTTPCamera.Reply, Int, ProbeReason?)] = {
            let two = mixed.httpBytes + picture + picture
            return [
                ("silent", .init(two), 2, .noFrame), ("closed", .init(two, end: .close), 2, .closedEarly),
                (
                    "a picture without end",
                    .init(two, picture.dropLast(2), [UInt8](repeating: 0x5a, count: 1 << 16), end: .flood), 2, .noFrame
                ),
                (
                    "anything but pictures", .init(two, [UInt8](repeating: 0x5a, count: 1 << 20), end: .flood), 2,
                    .noFrame
                ),
                ("a single picture", single, 1, nil),
            ]
        }()

        @Test("A watch ends by itself when no picture comes", arguments: watchEndings)
        func watchEnds(_ name: String, _ reply: HTTPCamera.Reply, _ pictures: Int, _ reason: ProbeReason?) async throws
        {
            let camera = try await HTTPCamera { _ in reply }
            let count = Mutex(0)
            var probe = StreamProbe(deadlines: .generous)
            if name == "silent" { probe.deadlines.firstFrame = .seconds(2) }
            let report = await probe.watch(try url(camera)) { _ in count.withLock { $0 += 1 } }
            #expect(report.failure?.reason == reason && report.isHealthy == (reason == nil), "\(name): \(report)")
            #expect(count.withLock { $0 } == pictures && camera.opened == 1)
        }
    }
}
