import TestSupport
import Testing

@testable import CameraProtocols

extension Endpoints {
    @Suite("Against cameras that want to do harm over HTTP")
    struct HostileHTTPTests {
        @Test
        func `Each ends in time, with its reason, without its connection, and with bounded memory`() async throws {
            let cameras = HostileCamera.all
            let before = try Footprint()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, camera) in cameras.enumerated() {
                    if index >= 24 { try await group.next() }
                    group.addTask { try await Self.check(camera) }
                }
                try await group.waitForAll()
            }
            let after = try Footprint()
            // Two dozen pictures of 8 MiB at a time, and what the allocator keeps of them.
            #expect(after.kilobytes - before.kilobytes < 400_000, "\(before), then \(after)")
        }

        private static func check(_ hostile: HostileCamera) async throws {
            let camera = try await HTTPCamera(hostile.reply)
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
