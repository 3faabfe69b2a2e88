import Foundation
import TestSupport
import Testing

@Suite("go2rtc", .timeLimit(.minutes(3)), .enabled(if: Go2RTCProgram.isInstalled, "\(Go2RTCProgram.advice)"))
struct Go2RTCTests {
    private let go2rtc: Go2RTCProgram
    private let broker: MosquittoBroker
    private let camera: GStreamerRTSPServer
    private let program: BridgeProgram
    private let directory: TemporaryDirectory

    init() async throws {
        go2rtc = try await Go2RTCProgram()
        broker = try await MosquittoBroker.start()
        camera = try await GStreamerRTSPServer(
            .digest,
            certificates: try await TestCertificates(),
            options: ["--password", "canary22"]
        )
        program = try BridgeProgram(broker: broker.port, "stream:\n  go2rtc_url: http://127.0.0.1:\(go2rtc.port)")
        directory = try TemporaryDirectory()
    }

    private func configure(_ id: String, _ patch: String) async throws {
        try await publish(patch, to: "printer2mqtt/\(id)/config/set", port: broker.port)
    }

    private func waitForStream(_ what: String, _ isSo: (String) -> Bool) async throws {
        var last = ""
        for _ in 0..<300 {
            last = try await go2rtc.streams()
            if isSo(last) { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw TestFailure("\(what): \(last)")
    }

    @Test("Pictures come from it, and a restart of the bridge leaves its viewers their one connection to the camera")
    func restart() async throws {
        let port = try #require(URL(string: camera.url)?.port)
        let observer = try await Observer(port: broker.port)
        var bridge = try program.run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try await configure("x1", #"{"printer_ip":"127.0.0.1","access_code":"canary22","stream_port":\#(port)}"#)
        try await waitForStream("go2rtc has the stream") { $0.contains("@127.0.0.1:\(port)/") }
        let viewer = try ChildProcess(
            "ffmpeg",
            ["-loglevel", "info", "-rtsp_transport", "tcp", "-i"]
                + ["rtsp://127.0.0.1:\(go2rtc.rtspPort)/printer2mqtt_x1", "-f", "null", "-"],
            log: directory.file("viewer")
        )
        try await viewer.waitForOutput("Output #0")
        try await waitForStream("it has a viewer") { $0.contains(#""consumers":[{"#) }
        await bridge.stop()
        bridge = try program.run()
        try await bridge.waitForOutput("printer=x1 status=healthy")
        // Once it has the next stream, the bridge has dealt with the one before.
        try await configure("x2", #"{"printer_ip":"127.0.0.1","access_code":"canary22","stream_port":9}"#)
        try await waitForStream("go2rtc has the next stream") { $0.contains("printer2mqtt_x2") }
        let picture = directory.file("x1.jpg")
        let taken = try await program.command("snapshot", "x1", "--output", picture.path)
        #expect(taken.status == 0, "\(taken.output)")
        #expect(try Data(contentsOf: picture).starts(with: [0xff, 0xd8, 0xff]))
        // A stream that was put anew has no viewers: they are left with the old one, and its connection.
        try await waitForStream("it has the viewer still") { $0.contains(#""consumers":[{"#) }
        #expect(viewer.isRunning)
        // A change of the address is not kept from it.
        try await configure("x1", #"{"stream_port":8}"#)
        try await waitForStream("go2rtc has the new address") { $0.contains("@127.0.0.1:8/") }
        try await publish(#"{"printer":"x1"}"#, to: "printer2mqtt/bridge/request/printer/remove", port: broker.port)
        try await waitForStream("it is gone") { !$0.contains("printer2mqtt_x1") }
        await viewer.stop()
        await bridge.stop()
        await go2rtc.stop()
        #expect(!program.everythingSaid.contains("canary"))
    }
}
