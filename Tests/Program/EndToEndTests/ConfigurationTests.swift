import Foundation
import TestSupport
import Testing

@Suite("Configuration over a real broker", .endsAll)
struct ConfigurationTests {
    @Test func `A command retained before the start is applied, reported, answered and lasts a restart`() async throws {
        let broker = try await MosquittoBroker.start()
        let command = #"{"printer_ip":"127.0.0.1","access_code":"c0de:1/2","stream_port":9,"serial":"S1"}"#
        try await broker.set(command, retain: true)
        let observer = try await Observer(broker)
        let program = try Program(debugging: broker.port)
        let bridge = try program.start()

        let config = try await observer.wait(for: "printer2mqtt/x1/config", "printer_ip", is: "127.0.0.1")
        #expect(config["access_code"] == "********")
        #expect(config["configured"] == "true")
        #expect(config["meta.revision"] == "1")
        #expect(config["meta.updated_by"] == "mqtt")
        #expect(config["stream_url"] == "rtsps://127.0.0.1:9/streaming/live/1")
        try await observer.wait(for: "printer2mqtt/x1/config/result", "status", is: "applied")
        try await observer.wait(for: "printer2mqtt/x1/stream/url") { $0 == "rtsps://127.0.0.1:9/streaming/live/1" }
        try await observer.wait(for: "printer2mqtt/x1/secret/stream_url") {
            $0 == "rtsps://bblp:c0de%3A1%2F2@127.0.0.1:9/streaming/live/1"
        }
        try await observer.wait(for: "printer2mqtt/x1/stream/reason") { $0 == "tcp_refused" }
        try await observer.wait(for: "printer2mqtt/x1/config/set") { $0.isEmpty }
        #expect(await bridge.stop() == 0)
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "offline" }

        let shown = try await program.run("printer", "show", "x1")
        #expect(shown.status == 0)
        #expect(shown.output.contains("127.0.0.1") && shown.output.contains("********"))
        _ = try program.start()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        #expect(JSONObject(observer.latest["printer2mqtt/x1/config"] ?? "")["meta.revision"] == "1")
    }

    @Test func `A command arrives once after the change from MQTT 3.1.1 to 5`() async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(debugging: broker.port)
        let five = try String(contentsOf: program.file, encoding: .utf8)
        try program.write(five.replacing("mqtt:\n", with: "mqtt:\n  protocol: '3.1.1'\n"))
        let observer = try await Observer(broker)
        try await program.add("x1", [], code: nil)
        let availability = "printer2mqtt/bridge/availability"
        let first = try program.start()
        try await observer.wait(for: availability) { $0 == "online" }
        #expect(await first.stop() == 0)
        try await observer.wait(for: availability) { $0 == "offline" }

        try program.write(five)
        let second = try program.start()
        try await observer.wait(for: availability) { $0 == "online" }
        for serial in ["S1", "S2"] {
            let command = #"{"id":"\#(serial)","set":{"serial":"\#(serial)"}}"#
            try await broker.set(command)
            try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: serial)
        }
        #expect(await second.stop() == 0)
        let answers = observer.messages.filter { $0.topic == "printer2mqtt/x1/config/result" }
        #expect(answers.count { JSONObject($0.payload)["id"] == "S2" } == 1)
    }

    @Test func `A change by the command line beside a running bridge is published within a second`() async throws {
        let (_, observer, program, _) = try await startBridge()
        #expect(try await program.run("printer", "add", "x1", "--printer-ip", "192.0.2.7").status == 0)
        try await observer.wait(for: "printer2mqtt/x1/config", "printer_ip", is: "192.0.2.7", timeout: .seconds(20))
        #expect(try await program.run("printer", "set", "x1", "name=Bench").status == 0)
        let config = try await observer.wait(for: "printer2mqtt/x1/config", "name", is: "Bench", timeout: .seconds(20))
        #expect(config["meta.updated_by"] == "cli")
        #expect(try await program.run("printer", "remove", "x1").status == 0)
        try await observer.wait(for: "printer2mqtt/x1/config", timeout: .seconds(20)) { $0.isEmpty }
        try await observer.wait(for: "homeassistant/device/printer2mqtt_x1/config") { $0.isEmpty }
    }
}
