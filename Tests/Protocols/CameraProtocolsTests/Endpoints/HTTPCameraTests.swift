import Foundation
import NIOCore
import OpenSSL
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
        private static let stream = ScriptedServer.Reply(
            mixed.httpBytes + part.httpBytes + picture,
            "\r\n".httpBytes + part.httpBytes + picture,
            end: .flood,
            interval: .milliseconds(100)
        )
        private static let single = ScriptedServer.Reply(
            "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.count)\r\n\r\n",
            picture,
            end: .close
        )

        private func url(_ camera: ScriptedServer, _ userInfo: String = "", scheme: String = "http") throws -> StreamURL
        {
            try StreamURL(parsing: "\(scheme)://\(userInfo)127.0.0.1:\(camera.port)/?action=stream")
        }

        @Test(arguments: [true, false])
        func `An HTTP stream or single picture is healthy at every depth`(_ isStream: Bool) async throws {
            let camera = try await ScriptedServer { _ in isStream ? Self.stream : Self.single }
            // For an end that never comes: a stream is left at once.
            var deadlines = ProbeDeadlines.generous
            deadlines.closing = .seconds(60)
            let start = ContinuousClock.now
            for depth in ProbeDepth.allCases {
                let found = await StreamProbe(depth: depth, deadlines: deadlines).look(at: try url(camera))
                #expect(found.report.isHealthy && found.streamProtocol == .http, "\(found.report)")
                #expect(found.report.latencies.count == [.tcp: 1, .tls: 1, .rtsp: 2, .media: 3][depth])
                #expect(found.picture?.bytes == (depth == .media ? Self.picture : nil))
                #expect(found.report.connections == 1)
            }
            #expect(ContinuousClock.now - start < .seconds(50))
            try await eventually("all are closed") { camera.open == 0 }
            #expect(camera.opened == 4 && camera.requests.count == 2)
        }

        /// A camera with a login, as small servers are: it closes the connection, tells no length, or keeps it.
        private func locked(_ offer: String, _ head: String, end: ScriptedServer.Reply.End) async throws
            -> ScriptedServer
        {
            try await ScriptedServer(tls: Endpoints.certificates().serverContext()) { request in
                if request.contains("Authorization: ") { return Self.stream }
                return .init("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(offer)\r\n\(head)\r\nno", end: end)
            }
        }

        static let closings: [(String, ScriptedServer.Reply.End, Int)] = [
            ("Content-Length: 2\r\n", .silence, 1), ("Content-Length: 2\r\n", .close, 2), ("", .close, 2),
            ("Connection: close\r\n", .silence, 2), ("", .silence, 2), ("Content-Length: 2\r\n", .reset, 2),
        ]

        @Test(arguments: closings)
        func `A login follows on the same connection, or on a second one`(
            _ head: String,
            _ end: ScriptedServer.Reply.End,
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

        @Test func `Each that does harm ends in time, with its reason, and with bounded memory`() async throws {
            let before = try Footprint()
            try await concurrently(HostileCamera.all, atMost: 24) { try await Self.check($0) }
            let after = try Footprint()
            // Two dozen pictures of 8 MiB at a time, and what the allocator keeps of them.
            #expect(after.kilobytes - before.kilobytes < 400_000, "\(before), then \(after)")
        }

        private static func check(_ hostile: HostileCamera) async throws {
            let camera = try await ScriptedServer(hostile.reply)
            var deadlines = ProbeDeadlines.generous
            (deadlines.answer, deadlines.firstFrame, deadlines.overall) = (.seconds(6), .seconds(6), .seconds(15))
            let url = try StreamURL(parsing: "http://bblp:\(secret)@127.0.0.1:\(camera.port)/")
            let start = ContinuousClock.now
            let report = await StreamProbe(depth: .media, deadlines: deadlines).run(url)
            #expect(hostile.reasons.contains(report.failure?.reason), "\(hostile): \(report)")
            #expect(ContinuousClock.now - start < .seconds(40), "\(hostile)")
            #expect(!"\(report)".contains(secret) && (report.failure?.message.utf8.count ?? 0) < 300, "\(hostile)")
            #expect(camera.opened <= StreamProbe.connectionLimit, "\(hostile)")
            try await eventually("\(hostile): closed") { camera.open == 0 }
        }
    }
}
