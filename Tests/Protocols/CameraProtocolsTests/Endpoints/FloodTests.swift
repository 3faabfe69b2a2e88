import CameraProtocols
import TestSupport
import Testing

extension Endpoints {
    @Suite("Against servers that send without end")
    struct FloodTests {
        private static let rows: [FaultRow] = [
            FaultRow("flood-frames", .rtspInvalid, at: .options, .flood),
            FaultRow("flood-interim", .rtspInvalid, at: .options, .flood),
            FaultRow("flood-lines", .rtspInvalid, at: .options, .flood),
            FaultRow("flood-rtcp", .media, .noFrame, at: .firstFrame, .flood),
            FaultRow("flood-video", .media, .noFrame, at: .firstFrame, .flood),
        ]

        @Test func `A flood ends by its bytes, long before the deadline, and leaves no connection`() async throws {
            for certificates in [try await Endpoints.certificates(), nil] {
                let server = try await FaultyRTSPServer(Self.rows.map(\.fault), certificates: certificates)
                for row in Self.rows {
                    // By time it would be another cause, and a minute.
                    var deadlines = ProbeDeadlines.generous
                    (deadlines.answer, deadlines.firstFrame, deadlines.overall) = (
                        .seconds(60), .seconds(60), .seconds(60)
                    )
                    let url = try streamURL(try #require(server.urls[row.fault]))
                    let report = await StreamProbe(depth: row.depth, deadlines: deadlines).run(url)
                    let failure = report.failure.map {
                        FaultRow.Failure(reason: $0.reason, stage: $0.stage, cause: $0.cause)
                    }
                    #expect(failure == row.failure, "\(row), but: \(report.failure?.description ?? "healthy")")
                    try await eventually("\(row): the socket is closed") { try socketCount(toPort: url.port) == 0 }
                }
                await server.stop()
            }
        }
    }
}
