import CameraProtocols
import OpenSSL
import Secrets
import TestSupport
import Testing

extension WaitingEndpoints {
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
            try await concurrently(Self.rows) { try await Self.check($0, cameras, trust) }
            for fault in ["none", "silent", "header-only", "half-picture", "http", "no-jpeg"] {
                try await eventually("\(fault) ends in order: \(cameras.events(fault))") {
                    cameras.events(fault).allSatisfy { $0.count == 1 || $0.suffix(2) == ["close_notify", "fin"] }
                }
            }
        }

        private static func address(_ fault: String, _ cameras: JPEGCameras) throws -> StreamURL {
            try .jpeg(host: "127.0.0.1", port: cameras.port(fault), user: "bblp", password: Secret(secret))
        }

        private static func check(_ row: FaultRow, _ cameras: JPEGCameras, _ trust: TrustPolicy) async throws {
            var deadlines = ProbeDeadlines.short(for: row.failure?.reason)
            if row.failure?.reason == .noFrame { deadlines.answer = .seconds(5) }
            // A header takes two seconds to drip.
            if row.fault == "drip" { deadlines.answer = .seconds(8) }
            let probe = StreamProbe(depth: row.depth, trust: trust, deadlines: deadlines)
            let report = await probe.run(try address(row.fault, cameras))
            row.check(report)
            #expect(report.streamProtocol == .jpeg)
            if report.isHealthy, row.depth == .media {
                #expect(report.video == VideoFormat(codec: .mjpeg, width: 1280, height: 720))
                #expect(Set(report.latencies.keys) == [.tcp, .tls, .play, .firstFrame])
            }
        }

        /// The login is sent to a server only that is proven.
        private static func pinned() async throws -> TrustPolicy {
            .pinned(sha256: try await Endpoints.certificates().fingerprint())
        }
    }
}
