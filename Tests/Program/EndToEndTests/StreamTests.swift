import Foundation
import TestSupport
import Testing

@Suite("Streams of a real RTSPS server")
struct StreamTests {
    /// A bridge with the printer `x1`, whose camera is the server.
    private func startBridge(
        with server: GStreamerRTSPServer
    ) async throws -> (MosquittoBroker, Observer, BridgeProgram, ChildProcess) {
        let port = try #require(URL(string: server.url)?.port)
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(port: broker.port)
        let program = try BridgeProgram(broker: broker.port)
        let bridge = try program.run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try await publish(
            #"{"printer_ip":"127.0.0.1","access_code":"12345678","stream_port":\#(port)}"#,
            to: "printer2mqtt/x1/config/set",
            port: broker.port
        )
        return (broker, observer, program, bridge)
    }

    @Test("Healthy, then a changed access code is told at once, and put right at once")
    func accessCode() async throws {
        let server = try await GStreamerRTSPServer(.digest, certificates: try await TestCertificates())
        let (broker, observer, program, bridge) = try await startBridge(with: server)
        let stream = try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        #expect(stream["reason"] == "null")
        #expect(stream["codec"] == "h264")
        #expect(stream["depth"] == "rtsp")
        #expect(stream["certificate.trust"] == "pinned")
        #expect(stream["latency_ms.describe"] != nil)
        try await observer.wait(for: "printer2mqtt/x1/availability") { $0 == "online" }

        try await publish(#"{"access_code":"00000000"}"#, to: "printer2mqtt/x1/config/set", port: broker.port)
        let down = try await observer.wait(for: "printer2mqtt/x1/stream", "reason", is: "unauthorized")
        #expect(down["status"] == "down")
        #expect(down["hint"]?.contains("access code") == true)
        try await publish(#"{"access_code":"12345678"}"#, to: "printer2mqtt/x1/config/set", port: broker.port)
        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        await bridge.stop()

        let probe = try await program.command("probe", "--printer", "x1")
        #expect(probe.status == 0, "\(probe.output)")
        #expect(probe.output.contains("h264"))
    }

    @Test("A camera that a person finds dead is probed by the bridge at once, not at the next routine probe")
    func personFindsIt() async throws {
        let server = try await GStreamerRTSPServer(.digest, certificates: try await TestCertificates())
        let (broker, observer, program, bridge) = try await startBridge(with: server)
        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        let same = try await program.command("probe", "--printer", "x1")
        #expect(same.status == 0 && !same.output.contains("probes the printer now"), "\(same.output)")
        await server.stop()
        let dead = try await program.command("probe", "--printer", "x1")
        #expect(dead.status == 1 && dead.output.contains("probes the printer now"), "\(dead.output)")
        try await observer.wait(for: "printer2mqtt/x1/stream", "reason", is: "tcp_refused")
        await bridge.stop()
        withExtendedLifetime(broker) {}
    }

    @Test("Commands that probe one camera, under whatever names, wait for each other")
    func commandsInTurn() async throws {
        let server = try await FaultyRTSPServer(["slow-setup"], certificates: try await TestCertificates())
        let port = try #require(server.urls["slow-setup"].flatMap(URL.init)?.port)
        let program = try BridgeProgram(broker: 9)
        for id in ["x1", "x2"] {
            let added = try await program.command(
                "printer",
                "add",
                id,
                "printer_ip=127.0.0.1",
                "stream_port=\(port)",
                environment: ["PRINTER2MQTT_ACCESS_CODE": "12345678"]
            )
            #expect(added.status == 0, "\(added.output)")
        }
        try await withThrowingTaskGroup { group in
            for id in ["x1", "x2", "x1"] {
                group.addTask {
                    let probe = try await program.command("probe", "--printer", id, "--depth", "media")
                    #expect(probe.status == 0, "\(probe.output)")
                }
            }
            try await group.waitForAll()
        }
        let events = server.process.output.split(separator: "\n").filter { $0.hasPrefix("log ") }
        let ends = events.compactMap { line in ["accept", "fin"].first { line.hasSuffix($0) } }
        #expect(ends == ["accept", "fin", "accept", "fin", "accept", "fin"], "\(server.process.output)")
        await server.stop()
    }
}
