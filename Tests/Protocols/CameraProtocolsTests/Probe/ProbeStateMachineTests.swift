import Foundation
import NIOCore
import Testing

@testable import CameraProtocols
@testable import OpenSSL

@Suite("The probe's state machine")
struct ProbeStateMachineTests {
    private typealias Machine = ProbeStateMachine<RTSPConversation>
    private typealias Run = MachineRun<RTSPConversation>

    private static func run(_ url: String = "rtsps://u:secret@192.0.2.7/a", depth: ProbeDepth = .media) throws -> Run {
        Run(RTSPConversation(ConversationSettings(url: try StreamURL(parsing: url), depth: depth, clientNonce: "c")))
    }

    /// One that has got the first `count` events of the whole way.
    private static func run(until count: Int, _ depth: ProbeDepth = .media) throws -> Run {
        var run = try run(depth: depth)
        run.give(Array(try way().prefix(count)))
        return run
    }

    private static func address(_ text: String) throws -> SocketAddress {
        try SocketAddress(ipAddress: text, port: 322)
    }

    private static let secured = Machine.Event.secured(
        TLSHandshakeCompleted(certificate: nil, protocolVersion: .tls13, isPeerProven: false)
    )

    private static func ok(_ sequence: Int, _ headers: MessageHeaders = [:], body: String = "") -> Machine.Event {
        var all = headers
        all.add(name: "CSeq", value: String(sequence))
        return .message(.response(ResponseMessage(status: 200, headers: all, body: Array(body.utf8))))
    }

    private static func packet(_ sequence: UInt8, _ payload: [UInt8], isLast: Bool = false) -> Machine.Event {
        let header: [UInt8] = [0x80, isLast ? 0xe0 : 0x60, 0, sequence, 0, 0, 0, 0, 0, 0, 0, 1]
        return .message(.interleaved(channel: 0, payload: header + payload))
    }

    private static let key = packet(1, [0x65, 0x88, 1], isLast: true)

    @Test func `A request of the server is answered, and its own answer is awaited no longer for that`() throws {
        var run = try Self.run(until: 4)
        let before = run.actions.count
        run.give(.message(.request(RequestMessage(method: "OPTIONS", url: "*", headers: ["CSeq": "9"]))))
        #expect(run.sent.last == "RTSP/1.0" && run.actions.count == before + 1)
    }

    /// The whole way, in order.
    private static func way() throws -> [Machine.Event] {
        [
            .started, .resolved([try address("192.0.2.7")]), .connected, secured, ok(1),
            ok(2, body: SessionDescriptionTests.printer), ok(3, ["Session": "S"]), ok(4), key, ok(5), ok(6),
        ]
    }

    @Test func `The whole way: each stage with its own time, then TEARDOWN, close, report`() throws {
        var run = try Self.run(until: .max)
        #expect(run.report == nil && run.closes == 1)
        run.give(.closed)
        let report = try #require(run.report)
        #expect(report.outcome == .succeeded && report.tlsVersion == "TLSv1.3")
        let second = Duration.seconds(1)
        #expect(
            report.latencies == [
                .tcp: second, .tls: second, .options: second, .describe: second, .setup: second, .play: second,
                .firstFrame: second,
            ]
        )
        #expect(run.sent == ["OPTIONS", "DESCRIBE", "SETUP", "PLAY", "PAUSE", "TEARDOWN"])
        #expect(report.video?.width == 64)
    }

    @Test func `A watch waits for its first key frame while packets come, and fails if that is too large`() throws {
        let url = try StreamURL(parsing: "rtsps://u:secret@192.0.2.7/a")
        var settings = ConversationSettings(url: url, depth: .media, clientNonce: "c")
        settings.watches = true
        var run = Run(RTSPConversation(settings))
        run.give(Array(try Self.way().prefix(8)) + [.deadline(.keepAlive)])
        #expect(!run.actions.contains(.clearTimer(.overall)))
        run.give(Self.packet(1, [0x41, 0x9a]), .deadline(.keepAlive))
        #expect(run.actions.contains(.clearTimer(.overall)) && run.closes == 0)
        let piece = [0x7c, 5] + [UInt8](repeating: 1, count: 60_000)
        run.give([Self.packet(2, [0x7c, 0x85, 0x88])] + (UInt8(3)..<150).map { Self.packet($0, piece) })
        run.give(Self.packet(150, [0x7c, 0x45], isLast: true), Self.ok(5), Self.ok(6), .closed)
        #expect(run.report?.failure?.message == "the key frame has more than 8 MiB" && run.connects == 1)
        #expect(run.report?.failure?.reason == .noFrame && run.report?.failure?.cause == .flood)
    }

    /// Whatever ends it, wherever: it closes once, reports once, and tears down what was set up.
    private static let enders: [(String, Machine.Event, ProbeReason?)] = [
        ("stage deadline", .deadline(.stage), nil), ("overall deadline", .deadline(.overall), nil),
        ("reset", .ended(.reset), nil), ("closed", .closed, nil), ("half-closed", .ended(.closed), nil),
        ("unreadable", .unreadable("bad", nil), .rtspInvalid), ("cancelled", .cancelled, nil),
        ("TLS", .tlsFailed(TLSFailure(.protocol, "broken"), sawBytes: true), .tlsFailed),
    ]

    @Test(arguments: enders.indices)
    func `Whatever ends it: one close, one report, no session left`(row: Int) throws {
        let (name, event, reason) = Self.enders[row]
        for count in 1..<9 {
            var run = try Self.run(until: count)
            let hadSession = count >= 7
            run.give(event)
            if name == "unreadable", count < 4 { continue }
            // A late answer to SETUP, then the deadlines of PAUSE and TEARDOWN.
            run.give(.deadline(.stage), .deadline(.stage), .deadline(.stage), .closed, .closed, .cancelled)
            let report = try #require(
                run.actions.compactMap { if case .finish(let report) = $0 { report } else { nil } }.first
            )
            #expect(run.closes == 1, "\(name) after \(count)")
            #expect(run.actions.count { if case .finish = $0 { true } else { false } } == 1)
            #expect((report.outcome == .cancelled) == (name == "cancelled"))
            if let reason { #expect(report.failure?.reason == reason) }
            let isLastWord = name == "unreadable" || name == "half-closed"
            if hadSession, name.contains("deadline") || name == "cancelled" || isLastWord {
                #expect(run.sent.last == "TEARDOWN", "\(name) after \(count)")
                #expect(run.sent.dropLast().last == (isLastWord ? "PLAY" : "PAUSE"), "\(name) after \(count)")
            }
        }
    }

    @Test func `A password in the certificate is not shown`() throws {
        var run = try Self.run(until: 3, .tls)
        let secret = CertificateReport(named: "secret", fingerprint: "f")
        run.give(.secured(.init(certificate: secret, protocolVersion: .tls13, isPeerProven: false)))
        run.give(.closed)
        #expect(run.report?.certificate == CertificateReport(named: "********", fingerprint: "f"))
    }

    @Test func `A session that is still being set up when it is cancelled is awaited, and torn down`() throws {
        for arrives in [true, false] {
            var run = try Self.run(until: 6)
            run.give(.cancelled)
            #expect(run.closes == 0)
            run.give(Self.key, arrives ? Self.ok(3, ["Session": "S"]) : .deadline(.stage))
            #expect(run.sent.last == (arrives ? "TEARDOWN" : "SETUP"))
            run.give(Self.ok(4), .closed)
            #expect(run.closes == 1 && run.report?.outcome == .cancelled)
        }
    }

    @Test func `After a server closes its side, the last message is a TEARDOWN, also on cancellation`() throws {
        let part = RTSPMessage.response(ResponseMessage(status: 200, headers: ["Session": "S"]))
        let rows: [(Int, [Machine.Event], [String])] = [
            (6, [.ended(.closed, part)], ["SETUP", "TEARDOWN"]),
            (6, [.cancelled, .ended(.closed, part)], ["SETUP", "TEARDOWN"]),
            (9, [.ended(.closed)], ["PAUSE", "TEARDOWN"]),
            (10, [.ended(.closed)], ["PAUSE", "TEARDOWN"]),
            (7, [.ended(.reset)], ["SETUP", "PLAY"]),
        ]
        for (count, events, ending) in rows {
            var run = try Self.run(until: count)
            run.give(events)
            #expect(run.closes == 1 && Array(run.sent.suffix(2)) == ending, "\(events) after \(count)")
        }
    }

    @Test func `Every address is tried in turn, and shares the stage's time`() throws {
        let both = [try Self.address("192.0.2.7"), try Self.address("2001:db8::1")]
        let rows: [([Machine.Event], ProbeReason)] = [
            ([.notConnected(.refused), .notConnected(.refused)], .tcpRefused),
            ([.notConnected(.refused), .deadline(.stage)], .tcpRefused),
            ([.deadline(.stage), .notConnected(.refused)], .tcpRefused),
            ([.deadline(.stage), .deadline(.stage)], .tcpTimeout),
            ([.notConnected(.unreachable("no route")), .deadline(.stage)], .tcpTimeout),
            ([.notConnected(.timedOut), .deadline(.overall)], .tcpTimeout),
        ]
        for (events, reason) in rows {
            var run = try Self.run("rtsps://name/a")
            run.give(.started, .resolved(both))
            #expect(run.actions.contains(.setTimer(.stage, .milliseconds(1500))))
            run.give(events)
            run.give(.closed)
            #expect(run.connects == 2)
            #expect(run.report?.failure?.reason == reason)
            #expect(run.report?.failure?.stage == .tcp)
            #expect(run.report?.latencies == [.dns: .seconds(1)])
        }
        var run = try Self.run("rtsps://name/a", depth: .tcp)
        run.give(.started, .resolved(both), .notConnected(.refused), .connected, .closed)
        #expect(run.report?.outcome == .succeeded)
        #expect(run.report?.latencies[.tcp] == .seconds(2))
    }

    @Test func `A connection that is reset before it is known is one that was made`() throws {
        for (depth, url, stage) in [
            (ProbeDepth.tcp, "rtsps://192.0.2.7/", nil), (.tls, "rtsps://192.0.2.7/", ProbeStage.tls),
            (.tls, "rtsp://192.0.2.7/", nil), (.rtsp, "rtsp://192.0.2.7/", .options),
        ] {
            var run = try Self.run(url, depth: depth)
            run.give(.started, .resolved([try Self.address("192.0.2.7")]), .notConnected(.reset), .closed)
            #expect(run.report?.failure?.stage == stage)
            #expect(run.report?.failure?.reason == (stage == nil ? nil : .closedEarly))
        }
    }

    @Test(arguments: [.stage, .overall] as [ProbeTimer])
    private func `Each stage's deadline has its reason`(_ timer: ProbeTimer) throws {
        let reasons: [ProbeReason] = [
            .dnsFailed, .tcpTimeout, .tlsTimeout, .rtspTimeout, .rtspTimeout, .rtspTimeout, .rtspTimeout, .noFrame,
        ]
        for (count, reason) in reasons.enumerated() {
            var run = try Self.run(until: count + 1)
            run.give(.deadline(timer), .deadline(.stage), .deadline(.stage), .closed)
            #expect(run.report?.failure?.reason == reason)
            #expect(run.report?.failure?.stage == ProbeStage.allCases[count])
        }
    }

    /// Those of the reasons are in the documentation, see ``DocumentationTests``.
    @Test func `The raw values are the public contract`() {
        let stages = ProbeStage.allCases.map(\.rawValue).joined(separator: " ")
        #expect(stages == "dns tcp tls options describe setup play first_frame")
        #expect(ProbeDepth.allCases.map(\.rawValue) == ["tcp", "tls", "rtsp", "media"])
        #expect(ProbeDepth.allCases.sorted() == ProbeDepth.allCases)
    }
}

extension MachineRun<RTSPConversation> {
    /// The methods of what it sent.
    fileprivate var sent: [String] {
        actions.compactMap { if case .send(let text) = $0 { String(text.prefix { $0 != " " }) } else { nil } }
    }
}
