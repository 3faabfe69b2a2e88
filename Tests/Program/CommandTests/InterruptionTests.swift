import Foundation
import TestSupport
import Testing

@Suite("A command that is interrupted", .endsAll)
struct InterruptionTests {
    @Test(.timeLimit(.minutes(5)), arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `An interrupted command gives the printer's stream back before it ends`(_ signal: Int32, _ status: Int32)
        async throws
    {
        let server = try await FaultyRTSPServer(["no-media"], certificates: nil)
        let url = try #require(server.urls["no-media"]).replacing("rtsp://", with: "rtsp://bblp@")
        let code = ["PRINTER2MQTT_ACCESS_CODE": "12345678"]
        let child = try Program().start(["probe", url, "--depth", "media"], environment: code)
        try await eventually("it plays") { server.events("no-media").first?.last == "PLAY" }
        #expect(await child.stop(signal, timeout: .seconds(30)) == status)
        #expect(child.output.contains("interrupted"))
        try await eventually("the end") { server.events("no-media").first?.suffix(3) == ["PAUSE", "TEARDOWN", "fin"] }
    }
}
