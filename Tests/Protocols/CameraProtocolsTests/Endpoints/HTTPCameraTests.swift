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

        @Test(arguments: [true, false])
        func `An HTTP stream or single picture is healthy at every depth over one connection`(_ isStream: Bool)
            async throws
        {
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

        @Test func `A stream is left at once: a probe of it does not wait for an end that never comes`() async throws {
            let camera = try await HTTPCamera { _ in Self.stream }
            var deadlines = ProbeDeadlines.generous
            deadlines.closing = .seconds(30)
            let start = ContinuousClock.now
            #expect(await StreamProbe(depth: .media, deadlines: deadlines).run(try url(camera)).isHealthy)
            #expect(ContinuousClock.now - start < .seconds(15))
        }

        @Test func `An answer may take as long as a picture: some cameras take the picture first`() async throws {
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

        @Test(arguments: closings)
        func `A login follows on the same connection, or on a second one`(
            _ head: String,
            _ end: HTTPCamera.Reply.End,
            _ connections: Int
        ) async throws {
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

        @Test
        func `A watch gives successive pictures over one connection and ends when it is cancelled`() async throws {
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
    }
}
