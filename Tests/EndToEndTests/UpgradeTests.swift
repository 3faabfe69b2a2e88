import Foundation
import TestSupport
import Testing

/// What `Fixtures/make` recorded of version 0.1.0: a store, its key, a configuration file and what the broker retained.
@Suite("An installation of version 0.1.0 goes on")
struct UpgradeTests {
    private let broker: MosquittoBroker
    private let observer: Observer
    private let program: BridgeProgram
    private let retained: [String: String]

    init() async throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/version-0.1.0")
        broker = try await MosquittoBroker.start()
        let configuration = try String(contentsOf: fixture.appending(path: "printer2mqtt.yaml"), encoding: .utf8)
        program = try BridgeProgram(
            configuration: configuration.replacing(/127.0.0.1:\d+/, with: "127.0.0.1:\(broker.port)")
        )
        try FileManager.default.copyItem(at: fixture.appending(path: "state"), to: program.state)
        // Git keeps no such permissions.
        for (file, mode) in [("", 0o700), ("key", 0o600), ("settings.sqlite", 0o600)] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode],
                ofItemAtPath: program.state.appending(path: file).path
            )
        }
        let json = try Data(contentsOf: fixture.appending(path: "retained.json"))
        retained = try JSONDecoder().decode([String: String].self, from: json)
        for (topic, payload) in retained {
            try await publish(payload, to: topic, port: broker.port, retain: true)
        }
        observer = try await Observer(port: broker.port)
    }

    @Test("Settings and revisions stay, and the retained command that was handled is not applied again")
    func settings() async throws {
        let before = JSONObject(retained["printer2mqtt/x1/config"] ?? "")
        #expect(before["name"] == "By the last command", "the fixture is as expected")
        let bridge = try program.run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try await observer.wait(for: "printer2mqtt/x1/config/result") { JSONObject($0)["status"] == "ignored" }
        let after = try await observer.wait(for: "printer2mqtt/x1/config", "name", is: "By the last command")
        for key in ["printer_ip", "stream_port", "serial", "access_code", "meta.revision"] {
            #expect(after[key] == before[key], "\(key)")
        }
        let other = JSONObject(observer.latest["printer2mqtt/p1/config"] ?? "")
        #expect(other["model"] == "p1s")
        #expect(other["probe_interval"] == "600")
        let info = JSONObject(observer.latest["printer2mqtt/bridge/info"] ?? "")
        #expect(info["options.log_level"] == "debug")
        let url = try await program.command("printer", "show", "x1", "--reveal")
        #expect(url.output.contains("11223344"), "the key opens the access code")
        await bridge.stop()
    }

    @Test("The certificate that was pinned is the one that is trusted")
    func pin() async throws {
        // The pin is for the port of the fixture's camera.
        let server = try await GStreamerRTSPServer(
            certificates: try await TestCertificates(),
            options: ["--port", "28322"]
        )
        let bridge = try program.run()
        let stream = try await observer.wait(for: "printer2mqtt/x1/stream", "reason", is: "certificate_changed")
        let pinned = JSONObject(retained["printer2mqtt/x1/stream"] ?? "")["certificate.fingerprint"]
        #expect(stream["certificate.trusted_fingerprint"] == pinned)
        await bridge.stop()
        await server.stop()
    }

    @Test("What the broker retained is taken over: nothing stays that this version does not publish")
    func topics() async throws {
        try await publish(#"{"old": true}"#, to: "printer2mqtt/unrelated", port: broker.port, retain: true)
        let bridge = try program.run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        _ = try await program.command("printer", "remove", "p1")
        try await observer.wait(for: "homeassistant/device/printer2mqtt_p1/config") { $0.isEmpty }
        try await eventually("nothing of a removed printer is retained") {
            retained.keys.filter { $0.contains("/p1/") }.allSatisfy { observer.latest[$0]?.isEmpty == true }
        }
        #expect(observer.latest["printer2mqtt/unrelated"] == #"{"old": true}"#)
        await bridge.stop()
    }
}
