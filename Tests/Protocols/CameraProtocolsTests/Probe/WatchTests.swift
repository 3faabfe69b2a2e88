import NIOCore
import Secrets
import Testing

@testable import CameraProtocols
@testable import OpenSSL

@Suite("A watch, a probe that goes on")
struct WatchTests {
    private static func picture(_ number: UInt8) -> MachineRun<JPEGConversation>.Event {
        .message(.picture(VideoFormat(codec: .mjpeg, width: 64, height: 48), [0xff, 0xd8, number]))
    }

    /// A watch of a camera that began its first picture; events come a second apart.
    private func run() throws -> MachineRun<JPEGConversation> {
        let address = try StreamURL.jpeg(host: "192.0.2.7", user: "bblp", password: Secret("12345678"))
        let settings = ConversationSettings(url: address, depth: .media, clientNonce: "c", watches: true)
        var run = MachineRun(JPEGConversation(settings))
        let handshake = TLSHandshakeCompleted(certificate: nil, protocolVersion: .tls13, isPeerProven: true)
        let socket = try SocketAddress(ipAddress: "192.0.2.7", port: 6000)
        run.give(.started, .resolved([socket]), .connected, .secured(handshake), .message(.pictureBegins))
        return run
    }

    @Test func `Each whole picture is given once, in order, and the connection stays`() throws {
        var run = try run()
        for number in UInt8(1)...3 { run.give(Self.picture(number), .message(.pictureBegins)) }
        #expect(run.pictures == [1, 2, 3] && !run.actions.contains(.close))
        #expect(run.machine.report.latencies[.firstFrame] == .seconds(1), "the time of the first picture only")
        #expect(run.machine.report.video == VideoFormat(codec: .mjpeg, width: 64, height: 48))
    }

    @Test func `The first picture ends the overall deadline; each picture then has its own limits`() throws {
        var run = try run()
        #expect(!run.actions.contains(.clearTimer(.overall)))
        for number in UInt8(1)...2 {
            run.actions = []
            run.give(Self.picture(number))
            #expect(run.actions.contains(.clearTimer(.overall)))
            // The driver grants bytes and messages anew with each timer of the stage.
            #expect(run.actions.contains(.setTimer(.stage, ProbeDeadlines().firstFrame)))
        }
    }

    static let endings: [(MachineRun<JPEGConversation>.Event, ProbeReason?, ProbeCause?, String)] = [
        (.cancelled, nil, nil, ""), (.deadline(.stage), .noFrame, nil, "no further picture"),
        (.flooded(), .noFrame, .flood, "sent more than"), (.unreadable("bad", nil), .rtspInvalid, nil, "bad"),
        (.ended(.closed), .closedEarly, .closedWhilePlaying, "while it sent"),
    ]

    @Test(arguments: endings)
    func `However it ends after a picture, the report says so, and the connection is closed once`(
        _ ending: MachineRun<JPEGConversation>.Event,
        _ reason: ProbeReason?,
        _ cause: ProbeCause?,
        _ words: String
    ) throws {
        var run = try run()
        run.give(Self.picture(1), ending, Self.picture(2), .closed)
        let report = try #require(run.report)
        #expect(run.closes == 1 && run.pictures == [1])
        #expect((report.outcome == .cancelled) == (reason == nil))
        #expect(report.failure?.reason == reason && report.failure?.cause == cause)
        #expect(report.failure?.message.contains(words) ?? true, "\(report)")
        #expect(report.failure == nil || report.failure?.stage == .firstFrame)
    }
}

extension MachineRun<JPEGConversation> {
    /// The numbers of the pictures that it gave.
    fileprivate var pictures: [UInt8] {
        actions.compactMap { if case .pass(.picture(let picture)) = $0 { picture.bytes[2] } else { nil } }
    }
}
