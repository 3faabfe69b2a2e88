import CameraProtocols
import Foundation
import OpenSSL
import TestSupport
import Testing

extension Endpoints {
    @Suite("Against servers with one fault each")
    struct FaultTests {
        /// Some more than what every stage may take, and the way out.
        private static let bound = Duration.seconds(20)

        @Test func `Each fault has its reason at its stage, in time, and leaves no descriptor`() async throws {
            async let encrypted: Void = probeAll(FaultRow.all, certificates: Endpoints.certificates())
            async let plain: Void = probeAll(FaultRow.all.filter { !$0.isAboutTLS }, certificates: nil)
            _ = try await (encrypted, plain)
        }

        @Test func `Over and over, nothing is left: no descriptor, no memory; ten times with SOAK=1`() async throws {
            let rounds = ProcessInfo.processInfo.environment["SOAK"] == "1" ? 10 : 2
            let certificates = try await Endpoints.certificates()
            // Not those that take a deadline to end.
            let slow: [ProbeReason] = [.rtspTimeout, .tlsTimeout, .noFrame]
            let quick = FaultRow.all.filter { row in !slow.contains { $0 == row.failure?.reason } }
            let rows = rounds == 10 ? FaultRow.all : quick
            // What the first round costs is paid once.
            try await probeAll(rows, certificates: certificates)
            let before = try Footprint()
            for _ in 1..<rounds { try await probeAll(rows, certificates: certificates) }
            let after = try Footprint()
            #expect(after.descriptors <= before.descriptors, "\(before) → \(after)")
            // What the test itself notes down for each row is a part of it.
            #expect(after.kilobytes - before.kilobytes < 2_000 + 500 * (rounds - 1), "\(before) → \(after)")
            print("soak: \(rounds) rounds of \(rows.count) probes, \(before) → \(after)")
        }

        private func probeAll(_ rows: [FaultRow], certificates: TestCertificates?) async throws {
            let server = try await FaultyRTSPServer(Set(rows.map(\.fault)).sorted(), certificates: certificates)
            // A few at a time: the server is one process, and these are deadlines.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, row) in rows.enumerated() {
                    if index >= 12 { try await group.next() }
                    group.addTask { try await Self.check(row, server) }
                }
                try await group.waitForAll()
            }
            await server.stop()
        }

        private static func check(_ row: FaultRow, _ server: FaultyRTSPServer) async throws {
            let probe = StreamProbe(depth: row.depth, deadlines: .short(for: row.failure?.reason))
            let url = try streamURL(try #require(server.urls[row.fault]))
            let start = ContinuousClock.now
            let report = await probe.run(url)
            let time = ContinuousClock.now - start
            let failure = report.failure.map { FaultRow.Failure(reason: $0.reason, stage: $0.stage, cause: $0.cause) }
            let expected = row.failure(isEncrypted: url.scheme == .rtsps)
            #expect(failure == expected, "\(row), but: \(report.failure?.description ?? "healthy")")
            #expect(report.isHealthy == (row.failure == nil), "\(row)")
            #expect(time < bound, "\(row) took \(time)")
            #expect(!"\(report)".contains(secret), "\(row) gave the password away")
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
