import CameraProtocols
import OpenSSL
import Secrets
import TestSupport
import Testing

extension Endpoints {
    @Suite("Against cameras that send JPEG pictures")
    struct JPEGStreamTests {
        static let rows: [FaultRow] = [
            FaultRow("none", .media), FaultRow("none"), FaultRow("none", .tls), FaultRow("hang-accept", .tcp),
            FaultRow("pieces", .media), FaultRow("one-record", .media), FaultRow("fill", .media),
            FaultRow("half-picture"), FaultRow("header-only", .noFrame, at: .play),
            FaultRow("refused", .unauthorized, at: .play),
            FaultRow("reset", .closedEarly, at: .play),
            FaultRow("silent", .noFrame, at: .play),
            FaultRow("other-service", .noVideo, at: .play, .otherProtocol),
            FaultRow("garbage", .rtspInvalid, at: .play, .otherProtocol),
            FaultRow("http", .rtspInvalid, at: .play, .otherProtocol),
            FaultRow("zero-length", .rtspInvalid, at: .play, .otherProtocol),
            FaultRow("huge-length", .rtspInvalid, at: .play, .otherProtocol),
            FaultRow("half-header", .noFrame, at: .play),
            FaultRow("header-only", .media, .noFrame, at: .play),
            FaultRow("half-picture", .media, .noFrame, at: .firstFrame),
            FaultRow("half-picture-end", .media, .closedEarly, at: .firstFrame),
            FaultRow("no-jpeg", .rtspInvalid, at: .play, .otherProtocol),
            FaultRow("no-size", .media, .rtspInvalid, at: .firstFrame),
            FaultRow("no-pixels", .media, .rtspInvalid, at: .firstFrame),
            FaultRow("drip", .media, .noFrame, at: .firstFrame),
            FaultRow("hang-accept", .tlsTimeout, at: .tls),
            FaultRow("close", .closedEarly, at: .tls),
        ]

        @Test
        func `Each fault gives its reason at its stage in time, and every connection closes in order`() async throws {
            let faults = Set(Self.rows.map(\.fault)).sorted()
            let cameras = try await JPEGCameras(faults, certificates: try await Endpoints.certificates())
            let trust = try await Self.pinned()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for row in Self.rows { group.addTask { try await Self.check(row, cameras, trust) } }
                try await group.waitForAll()
            }
            for fault in ["none", "silent", "header-only", "half-picture", "http", "no-jpeg"] {
                try await eventually("\(fault) ends in order: \(cameras.events(fault))") {
                    cameras.events(fault).allSatisfy { $0.count == 1 || $0.suffix(2) == ["close_notify", "fin"] }
                }
            }
            await cameras.stop()
        }

        private static func check(_ row: FaultRow, _ cameras: JPEGCameras, _ trust: TrustPolicy) async throws {
            let port = try #require(cameras.ports[row.fault])
            let address = try StreamURL.jpeg(
                host: "127.0.0.1",
                port: port,
                user: "bblp",
                password: Secret(secret)
            )
            var deadlines = ProbeDeadlines.short(for: row.failure?.reason)
            if row.failure?.reason == .noFrame { deadlines.answer = .seconds(2) }
            // A header takes two seconds to drip.
            if row.fault == "drip" { deadlines.answer = .seconds(8) }
            let report = await StreamProbe(depth: row.depth, trust: trust, deadlines: deadlines).run(
                address
            )
            let failure = report.failure.map { FaultRow.Failure(reason: $0.reason, stage: $0.stage, cause: $0.cause) }
            #expect(failure == row.failure, "\(row), but: \(report.failure?.description ?? "healthy")")
            #expect(report.isHealthy == (row.failure == nil), "\(row)")
            #expect(report.streamProtocol == .jpeg && !"\(report)".contains(secret))
            if report.isHealthy, row.depth == .media {
                #expect(report.video == VideoFormat(codec: .mjpeg, width: 1280, height: 720))
                #expect(Set(report.latencies.keys) == [.tcp, .tls, .play, .firstFrame])
            }
        }

        /// The login is sent to a server only that is proven.
        private static func pinned() async throws -> TrustPolicy {
            .pinned(sha256: try await Endpoints.certificates().fingerprint())
        }

        @Test(arguments: ["silent", "header-only", "half-picture"])
        func `A cancelled probe closes in order as well`(_ fault: String) async throws {
            let cameras = try await JPEGCameras([fault], certificates: try await Endpoints.certificates())
            let port = try #require(cameras.ports[fault])
            let password = Secret(secret)
            let address = try StreamURL.jpeg(host: "127.0.0.1", port: port, user: "bblp", password: password)
            let probe = StreamProbe(depth: .media, trust: try await Self.pinned(), deadlines: .generous)
            let task = Task { await probe.run(address) }
            try await eventually("logged in") { cameras.events(fault).first?.contains("login") == true }
            task.cancel()
            #expect(await task.value.outcome == .cancelled)
            try await eventually("closed in order: \(cameras.events(fault))") {
                cameras.events(fault) == [["accept", "login", "close_notify", "fin"]]
            }
            await cameras.stop()
        }

        @Test func `A wrong password is a refusal, and trust comes before it`() async throws {
            let cameras = try await JPEGCameras(["none"], certificates: try await Endpoints.certificates())
            let port = try #require(cameras.ports["none"])
            func run(_ code: String, _ trust: TrustPolicy) async throws -> ProbeReport {
                let password = Secret(code)
                let address = try StreamURL.jpeg(host: "127.0.0.1", port: port, user: "bblp", password: password)
                return await StreamProbe(trust: trust, deadlines: .generous).run(address)
            }
            #expect(try await run("87654321", Self.pinned()).failure?.reason == .unauthorized)
            let other = TrustPolicy.pinned(sha256: String(repeating: "ab", count: 32))
            #expect(try await run(secret, other).failure?.reason == .certificateChanged)
            try await eventually("both are over") { cameras.events("none").count == 2 }
            #expect(cameras.events("none").map { $0.contains("login") } == [true, false])
            await cameras.stop()
        }
    }
}
