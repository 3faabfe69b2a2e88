import Foundation
import TestSupport
import Testing

@Suite("What runs beside the broker", .endsAll)
struct CompanionTests {
    @Test func `A moved printer is heard, proven by its certificate, persisted, published and healthy`() async throws {
        let certificates = try await TestCertificates()
        let server = try await GStreamerRTSPServer(certificates: certificates, options: ["--host", "0.0.0.0"])
        let port = try #require(URL(string: server.url)?.port)
        let (broker, observer, program, bridge) = try await startBridge()
        let command = """
            {"printer_ip": "127.0.0.1", "access_code": "12345678", "stream_port": \(port), "follow_address": true, \
            "serial": "\(TestCertificates.serial)"}
            """
        try await broker.set(command)
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
        let shown = try await program.run("printer", "show", "x1")
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
}
