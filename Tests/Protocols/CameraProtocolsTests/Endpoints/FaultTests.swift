import CameraProtocols
import Foundation
import OpenSSL
import TestSupport
import Testing

extension Endpoints {
    @Suite("Against servers with one fault each")
    struct FaultTests {
        @Test func `Each fault has its reason at its stage, in time, and leaves no descriptor`() async throws {
            async let encrypted: Void = Self.probeAll(FaultRow.all, certificates: Endpoints.certificates())
            async let plain: Void = Self.probeAll(FaultRow.all.filter { !$0.isAboutTLS }, certificates: nil)
            _ = try await (encrypted, plain)
        }

        @Test func `Over and over, nothing is left: no descriptor, no memory; ten times with SOAK=1`() async throws {
            // In a process of its own: other tests hold descriptors and memory as well.
            await #expect(processExitsWith: .success) {
                let rounds = ProcessInfo.processInfo.environment["SOAK"] == "1" ? 10 : 2
                let certificates = try await Endpoints.certificates()
                // Not those that take a deadline to end.
                let quick = FaultRow.all.filter { ![.rtspTimeout, .tlsTimeout, .noFrame].contains($0.failure?.reason) }
                let rows = rounds == 10 ? FaultRow.all : quick
                // What the first round costs is paid once.
                try await FaultTests.probeAll(rows, certificates: certificates)
                let before = try Footprint()
                for _ in 1..<rounds { try await FaultTests.probeAll(rows, certificates: certificates) }
                let after = try Footprint()
                #expect(after.descriptors <= before.descriptors, "\(before) → \(after)")
                // What the test itself notes down for each row is a part of it.
                #expect(after.kilobytes - before.kilobytes < 2_000 + 500 * (rounds - 1), "\(before) → \(after)")
            }
        }

        private static let floods = [
            FaultRow("flood-frames", .rtspInvalid, at: .options, .flood),
            FaultRow("flood-interim", .rtspInvalid, at: .options, .flood),
            FaultRow("flood-lines", .rtspInvalid, at: .options, .flood),
            FaultRow("flood-rtcp", .media, .noFrame, at: .firstFrame, .flood),
            FaultRow("flood-video", .media, .noFrame, at: .firstFrame, .flood),
        ]

        @Test func `A flood ends by its bytes, long before the deadline, and leaves no connection`() async throws {
            // By time it would be another cause, and a minute.
            var deadlines = ProbeDeadlines.generous
            (deadlines.answer, deadlines.firstFrame, deadlines.overall) = (.seconds(60), .seconds(60), .seconds(60))
            for certificates in [try await Endpoints.certificates(), nil] {
                try await Self.probeAll(Self.floods, certificates: certificates, deadlines)
            }
        }

        private static func probeAll(
            _ rows: [FaultRow],
            certificates: TestCertificates?,
            _ deadlines: ProbeDeadlines? = nil
        ) async throws {
            let server = try await FaultyRTSPServer(Set(rows.map(\.fault)).sorted(), certificates: certificates)
            // A few at a time: the server is one process, and these are deadlines.
            try await concurrently(rows, atMost: 12) { try await check($0, server, deadlines) }
        }

        private static func check(
            _ row: FaultRow,
            _ server: FaultyRTSPServer,
            _ deadlines: ProbeDeadlines?
        ) async throws {
            let probe = StreamProbe(depth: row.depth, deadlines: deadlines ?? .short(for: row.failure?.reason))
            let url = try streamURL(try #require(server.urls[row.fault]))
            let start = ContinuousClock.now
            let report = await probe.run(url)
            row.check(report, isEncrypted: url.scheme == .rtsps)
            // Some more than what every stage may take, and the way out.
            #expect(ContinuousClock.now - start < (deadlines?.overall ?? .seconds(20)), "\(row)")
            // A fault at one depth may be probed at two at once: count what is left when both are done.
            try await eventually("\(row): the socket is closed") { try socketCount(toPort: url.port) == 0 }
            if row.failure == nil, row.depth == .media {
                let is265 = row.fault.hasPrefix("h265")
                let expected = VideoFormat(codec: is265 ? .h265 : .h264, width: 64, height: 64)
                #expect(report.video == expected, "\(row)")
                #expect(
                    Set(report.latencies.keys).isSuperset(of: [.tcp, .options, .describe, .setup, .play, .firstFrame])
                )
            }
        }
    }
}

extension FaultRow {
    /// Whether the fault needs a client that speaks TLS.
    var isAboutTLS: Bool {
        failure?.stage == .tls || failure?.reason == .tlsFailed || fault.hasSuffix("-tls") && depth == .tls
    }
}
