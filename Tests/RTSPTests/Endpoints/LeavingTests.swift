import Foundation
import RTSP
import TestSupport
import Testing

extension Endpoints {
    @Suite("However a probe ends, it leaves in order")
    struct LeavingTests {
        private static let inOrder = ["PAUSE", "TEARDOWN", "close_notify", "fin"]
        private static let unplayed = ["TEARDOWN", "close_notify", "fin"]

        @Test("With a stream: PAUSE, TEARDOWN, close_notify, FIN; without one the last two")
        func ends() async throws {
            let rows: [(fault: String, depth: ProbeDepth, ending: [String])] = [
                ("none", .media, Self.inOrder), ("no-cseq", .rtsp, ["DESCRIBE", "close_notify", "fin"]),
                ("hang-tls", .tls, ["accept", "close_notify", "fin"]), ("no-idr", .media, Self.inOrder),
                ("no-media", .media, Self.inOrder), ("rtcp-only", .media, Self.inOrder),
                ("media-stops", .media, Self.inOrder), ("wrong-channel", .media, Self.inOrder),
                ("hang-setup", .media, Self.inOrder), ("hang-teardown", .media, Self.inOrder),
                ("udp", .media, Self.unplayed), ("nonce-forever", .rtsp, ["DESCRIBE", "close_notify", "fin"]),
                ("hang-options", .rtsp, ["DESCRIBE", "close_notify", "fin"]),
                ("busy", .media, ["SETUP", "close_notify", "fin"]),
                ("garbage", .rtsp, ["OPTIONS", "close_notify", "fin"]),
            ]
            let faults = Set(rows.map(\.fault)).sorted()
            let server = try await FaultyRTSPServer(faults, certificates: try await Endpoints.certificates())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for row in rows { group.addTask { try await end(row, server) } }
                try await group.waitForAll()
            }
            await server.stop()
        }

        private func end(
            _ row: (fault: String, depth: ProbeDepth, ending: [String]),
            _ server: FaultyRTSPServer
        ) async throws {
            var deadlines = ProbeDeadlines.generous
            if row.fault.hasPrefix("hang-") { deadlines.answer = .seconds(2) }
            deadlines.firstFrame = .milliseconds(300)
            let url = try streamURL(try #require(server.urls[row.fault]))
            _ = await StreamProbe(depth: row.depth, deadlines: deadlines).run(url)
            try await expect(row.ending, "\(row.fault) at depth \(row.depth)") {
                server.events(row.fault).first
            }
        }

        /// When a cancellation comes, by what the server has seen by then.
        static let moments: [(fault: String, seen: String, ending: [String])] = [
            ("hang-tls", "OPTIONS", ["OPTIONS", "close_notify", "fin"]),
            ("hang-options", "DESCRIBE", ["DESCRIBE", "close_notify", "fin"]),
            ("hang-describe", "SETUP", ["SETUP", "close_notify", "fin"]),
            ("slow-setup", "SETUP", unplayed),
            ("hang-setup", "PLAY", inOrder),
            ("no-idr", "PLAY", inOrder),
            ("hang-teardown", "TEARDOWN", inOrder),
        ]

        @Test("A cancelled probe leaves in order too, and promptly")
        func cancellation() async throws {
            let faults = Self.moments.map(\.fault)
            let server = try await FaultyRTSPServer(faults, certificates: try await Endpoints.certificates())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in Self.moments.indices { group.addTask { try await cancel(Self.moments[index], server) } }
                try await group.waitForAll()
            }
            await server.stop()
        }

        private func cancel(
            _ moment: (fault: String, seen: String, ending: [String]),
            _ server: FaultyRTSPServer
        ) async throws {
            let url = try streamURL(try #require(server.urls[moment.fault]))
            var deadlines = ProbeDeadlines.generous
            deadlines.closing = .seconds(1)
            let task = Task { [deadlines] in await StreamProbe(depth: .media, deadlines: deadlines).run(url) }
            try await eventually("the server saw \(moment.seen)") {
                server.events(moment.fault).first?.contains(moment.seen) == true
            }
            let start = ContinuousClock.now
            task.cancel()
            let report = await task.value
            #expect(ContinuousClock.now - start < .seconds(2.5))
            // What was decided before the cancellation stays decided.
            #expect(report.outcome == (moment.seen == "TEARDOWN" ? .succeeded : .cancelled))
            try await expect(moment.ending, moment.fault) { server.events(moment.fault).first }
            try await eventually("the socket is closed") { try socketCount(toPort: url.port) == 0 }
        }

        @Test("Cancelled before, during the connection or the handshake, it returns at once")
        func earlyCancellation() async throws {
            let server = try await FaultyRTSPServer(["hang-accept"], certificates: try await Endpoints.certificates())
            let hanging = try streamURL(try #require(server.urls["hang-accept"]))
            let deaf = try DeafListener()
            let probe = StreamProbe(deadlines: .generous)
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
                #expect(ContinuousClock.now - start < .seconds(1), "\(part)")
            }
            #expect(try socketCount(toPort: hanging.port) == 0)
            #expect(try socketCount(toPort: deaf.port) == deaf.count)
            await server.stop()
        }

        @Test("A host that does not answer the connection is a timeout, not a refusal")
        func deafHost() async throws {
            let deaf = try DeafListener()
            let report = await StreamProbe(deadlines: .short(for: .tcpTimeout)).run(
                try streamURL("rtsps://127.0.0.1:\(deaf.port)/")
            )
            #expect(report.failure?.reason == .tcpTimeout)
            #expect(report.failure?.stage == .tcp)
            let left = try socketCount(toPort: deaf.port)
            #expect(left == deaf.count)
        }

        @Test("The overall deadline ends a probe whose stages are all in time")
        func overall() async throws {
            let server = try await FaultyRTSPServer(["drip"], certificates: try await Endpoints.certificates())
            var deadlines = ProbeDeadlines.generous
            deadlines.overall = .milliseconds(700)
            deadlines.closing = .milliseconds(200)
            let url = try streamURL(try #require(server.urls["drip"]))
            let start = ContinuousClock.now
            let report = await StreamProbe(deadlines: deadlines).run(url)
            #expect(report.failure?.reason == .rtspTimeout)
            #expect(ContinuousClock.now - start < .seconds(2))
            await server.stop()
        }

        private func expect(_ ending: [String], _ what: String, _ events: () -> [String]?) async throws {
            try await eventually("\(what) ends with \(ending): \(events() ?? [])", timeout: .seconds(5)) {
                events().map { Array($0.suffix(ending.count)) } == ending
            }
        }
    }
}
