import Foundation
import TestSupport
import Testing

@Suite("Streams of a real RTSPS server", .endsAll)
struct StreamTests {
    /// A bridge with the printer `x1`, whose camera is the server.
    private func start(viewing server: GStreamerRTSPServer) async throws
        -> (MosquittoBroker, Observer, Program, ChildProcess)
    {
        let port = try #require(URL(string: server.url)?.port)
        let started = try await startBridge()
        try await started.broker.set(#"{"printer_ip":"127.0.0.1","access_code":"12345678","stream_port":\#(port)}"#)
        return started
    }

    @Test func `Healthy, then a changed access code is told at once, and put right at once`() async throws {
        let server = try await GStreamerRTSPServer(.digest, certificates: try await TestCertificates())
        let (broker, observer, program, bridge) = try await start(viewing: server)
        let stream = try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        #expect(stream["reason"] == "null")
        #expect(stream["codec"] == "h264")
        #expect(stream["depth"] == "rtsp")
        #expect(stream["certificate.trust"] == "pinned")
        #expect(stream["latency_ms.describe"] != nil)
        try await observer.wait(for: "printer2mqtt/x1/availability") { $0 == "online" }

        try await broker.set(#"{"access_code":"00000000"}"#)
        let down = try await observer.wait(for: "printer2mqtt/x1/stream", "reason", is: "unauthorized")
        #expect(down["status"] == "down")
        #expect(down["hint"]?.contains("access code") == true)
        try await broker.set(#"{"access_code":"12345678"}"#)
        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        await bridge.stop()

        let probe = try await program.run("probe", "--printer", "x1")
        #expect(probe.status == 0, "\(probe.output)")
        #expect(probe.output.contains("h264"))
    }

    @Test func `A command's probe runs in the running bridge with the newest settings and is published`() async throws {
        let server = try await GStreamerRTSPServer(.digest, certificates: try await TestCertificates())
        let (_, observer, program, _) = try await start(viewing: server)
        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        let wrong = ["PRINTER2MQTT_ACCESS_CODE": "00000000"]
        let other = try await program.run("probe", "--printer", "x1", environment: wrong)
        #expect(other.status == 1 && other.output.contains("unauthorized"), "\(other.output)")
        #expect(JSONObject(observer.latest["printer2mqtt/x1/stream"] ?? "")["status"] == "healthy")
        await server.stop()
        let changed = try await program.run("printer", "set", "x1", "name=Garage", "probe_interval=3600")
        #expect(changed.status == 0, "\(changed.output)")
        let dead = try await program.run("probe", "--printer", "x1")
        #expect(dead.status == 1 && dead.output.contains("is closed"), "\(dead.output)")
        try await observer.wait(for: "printer2mqtt/x1/stream", "reason", is: "tcp_refused")
        let port = try freePort()
        #expect(try await program.run("printer", "set", "x1", "stream_port=\(port)").status == 0)
        let moved = try await program.run("probe", "--printer", "x1")
        #expect(moved.output.contains("port \(port) is closed"), "\(moved.output)")
    }

    @Test func `A bridge or command waits, with a message, until another command releases the cameras`() async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(debugging: broker.port)
        try await program.add("x1", ["printer_ip=127.0.0.1", "stream_port=\(try freePort())"])
        #expect(try await program.run("probe", "--printer", "x1").status == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: program.runtime.path)
        let path = program.runtime.appending(path: try #require(files.first { $0.hasSuffix(".lock") })).path
        let owner = try ChildProcess(
            "flock",
            ["--no-fork", path, "sh", "-c", "echo locked; exec sleep 600"],
            log: program.directory.file("owner")
        )
        try await owner.waitForOutput("locked")
        let command = try program.start(["probe", "--printer", "x1"])
        try await command.waitForOutput("Another command has the cameras; this one follows it.")
        let bridge = try program.start()
        try await bridge.waitForOutput("A command is connected to a camera; the bridge starts after it")
        #expect(!bridge.output.contains("Connected to the broker"))
        await owner.stop(SIGKILL)
        try await bridge.waitForOutput("Connected to the broker")
        #expect(await command.exitStatus(timeout: .seconds(60)) == 1)
        #expect(command.output.contains("is closed"), "\(command.output)")
    }

    @Test func `Interrupting a command ends at once both the command and its probe in the bridge`() async throws {
        let server = try await FaultyRTSPServer(["hang-options"], certificates: try await TestCertificates())
        let port = try #require(server.urls["hang-options"].flatMap(URL.init)?.port)
        let broker = try await MosquittoBroker.start()
        let program = try Program(debugging: broker.port)
        try await program.add("x1", ["printer_ip=127.0.0.1", "stream_port=\(port)", "probe_enabled=false"])
        let bridge = try program.start()
        try await bridge.waitForOutput("Connected to the broker")
        let command = try program.start(["probe", "--printer", "x1"])
        try await eventually("the question") { server.events("hang-options").first?.contains("OPTIONS") == true }
        command.signal(SIGINT)
        #expect(await command.exitStatus(timeout: .seconds(10)) == 130)
        try await eventually("the end of the connection") {
            server.process.output.split(separator: "\n").contains { $0.hasPrefix("log ") && $0.hasSuffix("fin") }
        }
    }
}
