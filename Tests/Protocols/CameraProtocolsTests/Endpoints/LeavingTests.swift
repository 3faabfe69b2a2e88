import CameraProtocols
import Foundation
import OpenSSL
import TestSupport
import Testing

extension WaitingEndpoints {
    @Suite("However a probe ends, it leaves in order")
    struct LeavingTests {
        @Test(arguments: [Departure.byItself, Departure.cancelled])
        func `Whatever ends a probe, it gives back what it was given, and closes in order`(rows: [Departure])
            async throws
        {
            // One port for each row, so that its server's record is its own.
            let labels = rows.indices.map { "\(rows[$0].fault)/\($0)" }
            let certificates = try await Endpoints.certificates()
            func faults(isEncrypted: Bool) -> [String] {
                zip(rows, labels).filter { $0.0.isEncrypted == isEncrypted }.map(\.1)
            }
            let encrypted = try await FaultyRTSPServer(faults(isEncrypted: true), certificates: certificates)
            let plain = try await FaultyRTSPServer(faults(isEncrypted: false), certificates: nil)
            try await concurrently(zip(rows, labels), atMost: 12) { row, label in
                try await Self.leave(row, label, row.isEncrypted ? encrypted : plain)
            }
        }

        private static func leave(_ row: Departure, _ label: String, _ server: FaultyRTSPServer) async throws {
            var deadlines = ProbeDeadlines.short(for: row.reason)
            deadlines.closing = .seconds(2)
            let probe = StreamProbe(depth: row.depth, trust: row.trust, deadlines: deadlines)
            let url = try streamURL(try #require(server.urls[label]), password: row.password)
            let task = Task { await probe.run(url) }
            if let moment = row.cancelledAt {
                try await eventually("\(row): seen") { server.events(label).first?.contains(moment) == true }
                let start = ContinuousClock.now
                task.cancel()
                _ = await task.value
                #expect(ContinuousClock.now - start < deadlines.closing * 3 + .seconds(3), "\(row)")
            }
            let report = await task.value
            #expect(report.outcome != .cancelled || !row.isDecided, "\(row)")
            #expect(report.outcome == .cancelled || row.isDecided, "\(row), but: \(report.outcome)")
            #expect(report.failure?.reason == row.reason, "\(row), but: \(report.outcome)")
            try await eventually("\(row), but: \(server.events(label))") {
                server.events(label).first.map { Array($0.suffix(row.ending.count)) } == row.ending
            }
            #expect(server.events(label).count == 1, "\(row)")
            try await eventually("\(row): the socket is closed") { try socketCount(toPort: url.port) == 0 }
        }

        @Test func `Cancelled before, during the connection or the handshake, it returns at once`() async throws {
            let server = try await FaultyRTSPServer(["hang-accept"], certificates: try await Endpoints.certificates())
            let hanging = try streamURL(try #require(server.urls["hang-accept"]))
            let deaf = try DeafListener()
            // For an end that never comes: at once is long before.
            var deadlines = ProbeDeadlines.generous
            (deadlines.tcp, deadlines.tls, deadlines.closing) = (.seconds(60), .seconds(60), .seconds(60))
            let probe = StreamProbe(deadlines: deadlines)
            let before = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await probe.run(hanging)
            }
            #expect(await before.value.outcome == .cancelled)
            for (url, part) in [(hanging, "TLS"), (try streamURL("rtsps://127.0.0.1:\(deaf.port)/"), "TCP")] {
                let task = Task { await probe.run(url) }
                if part == "TLS" { try await eventually("accepted") { !server.events("hang-accept").isEmpty } }
                try await eventually("a socket") {
                    try socketCount(toPort: url.port) > (part == "TLS" ? 0 : deaf.count)
                }
                let start = ContinuousClock.now
                task.cancel()
                #expect(await task.value.outcome == .cancelled)
                #expect(ContinuousClock.now - start < .seconds(30), "\(part)")
            }
            #expect(try socketCount(toPort: hanging.port) == 0)
            #expect(try socketCount(toPort: deaf.port) == deaf.count)
        }

        @Test func `The overall deadline ends a probe whose stages are all in time`() async throws {
            let server = try await FaultyRTSPServer(["drip"], certificates: try await Endpoints.certificates())
            var deadlines = ProbeDeadlines.generous
            (deadlines.answer, deadlines.overall) = (.seconds(60), .seconds(5))
            let url = try streamURL(try #require(server.urls["drip"]))
            let start = ContinuousClock.now
            let report = await StreamProbe(deadlines: deadlines).run(url)
            #expect(report.failure?.reason == .rtspTimeout)
            #expect(ContinuousClock.now - start < .seconds(30))
        }
    }
}
