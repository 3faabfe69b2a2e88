import CameraProtocols
import Cameras
import Foundation
import Printers
import Synchronization
import TestSupport
import Testing

@testable import Relay

@Suite("The relay", .endsAll, .timeLimit(.minutes(5)))
struct RelayServerTests {
    private func ffmpeg(_ url: String, _ directory: TemporaryDirectory, pictures: Int) throws -> ChildProcess {
        try ChildProcess(
            "ffmpeg",
            ["-hide_banner", "-loglevel", "warning", "-i", url, "-frames:v", "\(pictures)", "-f", "framecrc", "-"],
            log: directory.file("ffmpeg-\(UUID().uuidString).log")
        )
    }

    @Test(arguments: ["h264", "h265"])
    func `Viewers with ffmpeg and GStreamer see GStreamer's camera, in H.264 and H.265`(codec: String) async throws {
        let camera = try await GStreamerRTSPServer(certificates: nil, options: ["--codec", codec])
        let relay = try await RelayFixture(camera.url)
        let directory = try TemporaryDirectory()
        try await relay.waitForProbe()
        let gstreamer = try GStreamerViewer(relay.url, codec: codec)
        // Without an option ffmpeg asks for UDP first.
        let player = try ffmpeg(relay.url, directory, pictures: 40)
        try await eventually("the end of ffmpeg: \(player.output)") { !player.isRunning }
        let lines = player.output.split(separator: "\n").filter { $0.hasPrefix("0,") }
        #expect(lines.count == 40, "\(player.output)")
        try await eventually("GStreamer's pictures: \(gstreamer.process.output)") { gstreamer.pictures >= 40 }
    }

    @Test func `Viewers, probes and pictures share a connection until TEARDOWN after the last viewer`() async throws {
        let (camera, relay) = try await RelayFixture.faulty("none")
        let viewer = StreamProbe(depth: .media, deadlines: .patient)
        let url = try StreamURL(parsing: relay.url)
        let gstreamer = try GStreamerViewer(relay.url)
        try await eventually("a picture: \(gstreamer.process.output)") { gstreamer.pictures > 0 }
        for _ in 0..<3 {
            let found = await viewer.look(at: url)
            #expect(found.report.isHealthy && found.picture?.codec == .h264, "\(found.report)")
        }
        // What the page and the recorder are.
        let page = await relay.cameras.view(relay.id, by: relay.feeds)
        guard case .configuration? = await page.next() else { throw TestFailure("no video") }
        try await eventually("the viewers") { await relay.printer()?.cameraStatus.viewers == 2 }
        for await attempt in try #require(await relay.probes.attempts(relay.id, takesPicture: false)) {
            guard case .found(let found) = attempt else { continue }
            #expect(found.report.isHealthy && found.report.depth == .media, "\(found.report)")
        }
        #expect(await relay.probes.probeSoon(relay.id, takesPicture: true))
        let picture = await relay.probes.pictures.first { _ in true }
        #expect(picture?.picture.codec == .h264)
        await gstreamer.stop()
        page.leave()
        try await eventually("the end: \(camera.events("none"))") { camera.events("none").last?.last == "fin" }
        let connections = camera.events("none")
        #expect(connections.count == 2, "the probe's connection, and the viewers': \(connections)")
        #expect(connections.last?.count { $0 == "TEARDOWN" } == 1)
        try await eventually("the viewers have left") { relay.door.connections == 0 }
    }

    @Test(arguments: [true, false])
    func `A viewer with the password is let in, any other is not`(isRight: Bool) async throws {
        let (_, relay) = try await RelayFixture.faulty("none", password: "token")
        let url = try StreamURL(parsing: "rtsp://viewer:\(isRight ? "token" : "other")@127.0.0.1:\(relay.port)/cam")
        let report = await StreamProbe(depth: .media, deadlines: .patient).run(url)
        #expect(isRight ? report.isHealthy : report.failure?.reason == .unauthorized, "\(report)")
        let directory = try TemporaryDirectory()
        let player = try ffmpeg(url.revealed(), directory, pictures: 2)
        try await eventually("the end of ffmpeg: \(player.output)") { !player.isRunning }
        #expect(player.output.contains("401 Unauthorized") == !isRight, "\(player.output)")
        if isRight {
            let gstreamer = try GStreamerViewer(url.revealed())
            try await eventually("a picture: \(gstreamer.process.output)") { gstreamer.pictures > 0 }
        }
    }

    @Test(arguments: [
        "needs-rtcp", "needs-requests", "repeats", "swaps", "fragmented", "frozen-clock", "no-sprop",
        "h265-fragmented",
    ])
    func `A camera that needs signs of life, or repeats packets, is viewed all the same`(fault: String) async throws {
        let (camera, relay) = try await RelayFixture.faulty(fault)
        let viewer = try GStreamerViewer(relay.url, codec: fault.hasPrefix("h265") ? "h265" : "h264")
        let isSlow = fault.hasPrefix("needs")
        // Twenty pictures a second: the first sign of life is due long before.
        try await eventually("pictures: \(viewer.process.output)") { viewer.pictures >= (isSlow ? 200 : 30) }
        #expect(camera.events(fault).count == 2, "\(camera.events(fault))")
        if fault == "needs-requests" { #expect(camera.events(fault).last?.contains("GET_PARAMETER") == true) }
    }

    @Test func `A viewer that reads nothing is disconnected, and another one loses no packet`() async throws {
        let options = ["--pattern", "snow", "--bitrate", "6000"]
        let camera = try await GStreamerRTSPServer(.none, certificates: nil, options: options)
        let relay = try await RelayFixture(camera.url, timeout: 1)
        let numbers = Mutex<[UInt16]>([])
        let url = try StreamURL(parsing: relay.url)
        let reader = Task {
            await StreamProbe(depth: .media, deadlines: .patient).watch(url) { part in
                guard case .packet(let bytes) = part, let packet = RTPPacket(bytes) else { return }
                numbers.withLock { $0.append(packet.sequence) }
            }
        }
        try await eventually("the reader's packets") { numbers.withLock(\.count) > 200 }
        let silent = openSilentViewer(port: relay.port)
        defer { close(silent) }
        try await eventually("two connections") { relay.door.connections == 2 }
        try await eventually("that the silent viewer is disconnected", timeout: .seconds(60)) {
            relay.door.connections == 1
        }
        let count = numbers.withLock(\.count)
        try await eventually("more packets") { numbers.withLock(\.count) > count + 200 }
        let seen = numbers.withLock(\.self)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 &+ 1 == $1 })
        reader.cancel()
        _ = await reader.value
    }

    @Test func `A camera's other parameter sets are in the next description`() async throws {
        let (_, relay) = try await RelayFixture.faulty("new-sets")
        let viewer = try GStreamerViewer(relay.url)
        try await eventually("pictures: \(viewer.process.output)") { viewer.pictures >= 40 }
        let report = await StreamProbe(depth: .rtsp, deadlines: .patient).run(try StreamURL(parsing: relay.url))
        #expect(report.video == VideoFormat(codec: .h264, width: 640, height: 360))
    }

    @Test func `Viewers of a camera that ends are sent away, and may come again`() async throws {
        let (camera, relay) = try await RelayFixture.faulty("none")
        let viewer = try GStreamerViewer(relay.url)
        try await eventually("a picture: \(viewer.process.output)") { viewer.pictures > 0 }
        await camera.stop()
        try await eventually("the end: \(viewer.process.output)") { !viewer.process.isRunning }
        try await eventually("the connections") { relay.door.connections == 0 }
        let answer = try await exchange(Self.describe, with: relay.port) { $0.contains("\r\n\r\n") }
        #expect(answer.hasPrefix("RTSP/1.0 503 "), "\(answer)")
    }

    private static let describe = "DESCRIBE rtsp://b/cam RTSP/1.0\r\nCSeq: 1\r\n\r\n"

    @Test func `What cannot be viewed has a status, and a reason`() async throws {
        let relay = try await RelayFixture("http://127.0.0.1:1/picture.jpg")
        func answer(_ name: String) async throws -> String {
            let request = Self.describe.replacing("/cam", with: "/\(name)")
            // Reports of a player of much video do not count as requests.
            let all = String(repeating: "$\u{1}\0\0", count: 500) + request
            return try await exchange(all, with: relay.port) { $0.contains("\r\n\r\n") && $0.hasSuffix(".\n") }
        }
        #expect(try await answer("cam").contains("/camera/cam/stream"))
        #expect(try await answer("other").hasPrefix("RTSP/1.0 404 "))
        #expect(try await answer("NoPrinter").hasPrefix("RTSP/1.0 404 "))
    }

    @Test func `An address that others can use has no host that stands for all`() {
        #expect(RelayOptions(host: "192.0.2.1", port: 9_554).url == "rtsp://192.0.2.1:9554/")
        #expect(RelayOptions(host: "2001:db8::1", port: 9_554).url == "rtsp://[2001:db8::1]:9554/")
        #expect(RelayOptions(host: "0.0.0.0", port: 9_554).url == nil)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: b\r\n\r\n", "\u{16}\u{3}\u{1}\0\0", "OPTIONS * RTSP/1.0\r\n\r\n",
        "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 4097\r\n\r\n",
        "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nContent-Length: -1\r\n\r\n",
        "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nX: \(String(repeating: "x", count: 9_000))\r\n\r\n",
        "OPTIONS * RTSP/1.0\r\n" + String(repeating: "X: y\r\n", count: 101) + "\r\n",
        String(repeating: "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", count: 200),
        String(repeating: "$\0\0\0", count: 2_000),
    ])
    func `What is no request ends the connection`(text: String) async throws {
        let relay = try await RelayFixture("rtsp://127.0.0.1:1/")
        // A flood is not read to its end, which resets the connection.
        let answer = (try? await exchange(text, with: relay.port)) ?? ""
        #expect(answer.isEmpty || answer.contains("400 Bad Request") || answer.contains("200 OK"), "\(answer)")
        try await eventually("the connection's end") { relay.door.connections == 0 }
    }
}

/// A viewer that begins to play, and then reads nothing; its socket.
private func openSilentViewer(port: Int) -> Int32 {
    let socket = connectToLoopback(port)
    var size: Int32 = 4_096
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    func ask(_ request: String, _ header: String) -> Substring {
        let text = "\(request) RTSP/1.0\r\nCSeq: 1\r\n\(header)\r\n\r\n"
        _ = text.utf8CString.withUnsafeBytes { write(socket, $0.baseAddress, $0.count - 1) }
        var answer = [UInt8](repeating: 0, count: 4_096)
        let count = read(socket, &answer, answer.count)
        let session = String(decoding: answer.prefix(max(0, count)), as: UTF8.self).split(separator: "Session: ").last
        return session?.prefix { $0 != ";" } ?? ""
    }
    _ = ask("DESCRIBE rtsp://b/cam", "Accept: application/sdp")
    let session = ask("SETUP rtsp://b/cam/track1", "Transport: RTP/AVP/TCP;interleaved=0-1")
    _ = ask("PLAY rtsp://b/cam", "Session: \(session)")
    return socket
}

extension ProbeDeadlines {
    /// Long enough for a busy machine.
    fileprivate static var patient: Self {
        var deadlines = Self()
        (deadlines.tcp, deadlines.answer) = (.seconds(30), .seconds(30))
        (deadlines.firstFrame, deadlines.overall) = (.seconds(30), .seconds(60))
        return deadlines
    }
}
