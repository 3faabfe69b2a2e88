import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import CameraProtocols

@Suite("A probe with real sockets")
struct ProbeDriverTests {
    @Test func `It goes on to the next address of a name whose first one is silent`() async throws {
        let deaf = try DeafListener()
        let group = MultiThreadedEventLoopGroup.singleton
        let camera = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let addresses = [try SocketAddress(ipAddress: "127.0.0.1", port: deaf.port), try #require(camera.localAddress)]
        let conversation = RTSPConversation(
            ConversationSettings(url: try streamURL("rtsp://camera.invalid/"), depth: .tcp, clientNonce: "")
        )
        var probe = StreamProbe(trust: .any)
        probe.deadlines.tcp = .seconds(2)
        let loop = group.next()
        let report = await withCheckedContinuation { continuation in
            loop.execute { [probe] in
                let driver = ProbeDriver(
                    on: loop,
                    probe: probe,
                    conversation: conversation,
                    completion: { report, _ in continuation.resume(returning: report) }
                )
                driver.handle(.started)
                driver.handle(.resolved(addresses))
            }
        }
        #expect(report.isHealthy, "\(report.outcome)")
        withExtendedLifetime(deaf) {}
        try await camera.close()
    }
}
