import Foundation
import TestSupport
import Testing

@Suite("What runs beside the broker")
struct CompanionTests {
    @Test("A printer that moved is followed: heard, proven by its certificate, persisted, published, and healthy there")
    func moved() async throws {
        let certificates = try await TestCertificates()
        let server = try await GStreamerRTSPServer(certificates: certificates, options: ["--host", "0.0.0.0"])
        let port = try #require(URL(string: server.url)?.port)
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(port: broker.port)
        let program = try BridgeProgram(broker: broker.port)
        let bridge = try program.run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        let command = """
            {"printer_ip": "127.0.0.1", "access_code": "12345678", "stream_port": \(port), "follow_address": true, \
            "serial": "\(TestCertificates.serial)"}
            """
        try await publish(command, to: "printer2mqtt/x1/config/set", port: broker.port)
        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")

        let voice = try ChildProcess(
            "/usr/bin/python3",
            ["-c", Self.voice, TestCertificates.serial],
            log: program.directory.file("voice")
        )
        try await observer.wait(for: "printer2mqtt/x1/config", "printer_ip", is: "127.0.0.2")
        await voice.stop()
        let config = JSONObject(observer.latest["printer2mqtt/x1/config"] ?? "")
        #expect(config["meta.updated_by"] == "announcement")
        try await eventually("it is an event") {
            observer.messages.contains { message in
                message.topic.hasSuffix("/event") && message.payload.contains("address_changed")
                    && JSONObject(message.payload)["address"] == "127.0.0.2"
            }
        }
        try await observer.wait(for: "printer2mqtt/x1/stream/url") { $0.contains("127.0.0.2") }
        try await observer.wait(for: "printer2mqtt/x1/stream", "status", is: "healthy")
        await bridge.stop()
        await server.stop()
        let shown = try await program.command("printer", "show", "x1")
        #expect(shown.output.contains("127.0.0.2"))
    }

    /// A printer that announces itself, every half a second, at 127.0.0.2; broadcast, so that all who listen hear it.
    private static let voice = """
        import socket, sys, time
        notify = "NOTIFY * HTTP/1.1\\r\\nHOST: 239.255.255.250:1900\\r\\nServer: UPnP/1.0\\r\\nLocation: 127.0.0.2\\r\\n" \\
            "NT: urn:bambulab-com:device:3dprinter:1\\r\\nNTS: ssdp:alive\\r\\nUSN: " + sys.argv[1] + "\\r\\n" \\
            "Cache-Control: max-age=1800\\r\\nDevModel.bambu.com: BL-P001\\r\\n\\r\\n"
        voice = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        voice.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        voice.bind(("127.0.0.2", 0))
        while True:
            voice.sendto(notify.encode(), ("127.255.255.255", 2021))
            time.sleep(0.5)
        """

    @Test("Health and metrics are to be had over HTTP, when that is switched on")
    func http() async throws {
        let port = try freePort()
        let broker = try await MosquittoBroker.start()
        let program = try BridgeProgram(broker: broker.port, "http:\n  enabled: true\n  port: \(port)")
        let bridge = try program.run()
        let observer = try await Observer(port: broker.port)
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        for (path, text) in [("health", #""broker":"connected""#), ("metrics", "printer2mqtt_broker_connected 1")] {
            // The page may be there a moment after the topics.
            let reader = try ChildProcess(
                "curl",
                [
                    "-sS", "--retry", "30", "--retry-delay", "1", "--retry-connrefused",
                    "http://127.0.0.1:\(port)/\(path)",
                ],
                log: program.directory.file(path)
            )
            #expect(await reader.exitStatus() == 0)
            #expect(reader.output.contains(text), "\(reader.output)")
        }
        let other = try BridgeProgram(broker: broker.port, "http:\n  enabled: true\n  port: \(port)").run()
        #expect(await other.exitStatus() == 69)
        #expect(other.output.contains("http.port"), "\(other.output)")
        await bridge.stop()
    }

    @Test("The doctor finds what is wrong, says what to do, and is content when all is well")
    func doctor() async throws {
        let certificates = try await TestCertificates()
        let server = try await GStreamerRTSPServer(certificates: certificates)
        let port = try #require(URL(string: server.url)?.port)
        let broker = try await MosquittoBroker.start()
        let program = try BridgeProgram(broker: broker.port)

        let empty = try await program.command("doctor")
        #expect(empty.status == 0, "\(empty.output)")
        #expect(empty.output.contains("printer add") && empty.output.contains("does not run"))

        let bridge = try program.run()
        let observer = try await Observer(port: broker.port)
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        let command = #"{"printer_ip": "127.0.0.1", "access_code": "12345678", "stream_port": \#(port)}"#
        try await publish(command, to: "printer2mqtt/good/config/set", port: broker.port)
        try await publish(
            #"{"printer_ip": "127.0.0.1", "access_code": "canary", "stream_port": \#(port)}"#,
            to: "printer2mqtt/bad/config/set",
            port: broker.port
        )
        try await observer.wait(for: "printer2mqtt/good/stream", "status", is: "healthy")
        try await observer.wait(for: "printer2mqtt/bad/stream", "status", is: "down")
        for isRunning in [true, false] {
            if !isRunning {
                await bridge.stop()
                let limited = try await program.command("doctor")
                #expect(limited.output.contains("has just refused this access code: again in "), "\(limited.output)")
                try program.forgetRecentProbes()
            }
            let found = try await program.command("doctor")
            #expect(found.status == 1, "\(found.output)")
            #expect(found.output.contains("ok       printer good"), "\(found.output)")
            #expect(found.output.contains("failure  printer bad") && found.output.contains("access code is wrong"))
            #expect(found.output.contains(isRunning ? "Online." : "does not run"))
            #expect(!found.output.contains("canary"))
        }
        await broker.kill()
        let alone = try await program.command("doctor", "--json")
        #expect(alone.status == 1)
        #expect(alone.output.contains(#""subject":"broker""#) && alone.output.contains(#""verdict":"failure""#))
        await server.stop()
    }
}
