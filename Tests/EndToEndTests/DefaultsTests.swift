import Foundation
import TestSupport
import Testing

// A private broker wants the port that it had before: beside another one it may not get it.
@Suite("Without any configuration", .serialized)
struct DefaultsTests {
    @Test("A first start brings a private broker, a simulated printer, and the lines to look and to change")
    func firstStart() async throws {
        let program = try BridgeProgram(configuration: "")
        let bridge = try program.run()
        try await bridge.waitForOutput("mosquitto_pub")
        let port = try port(in: bridge.output)
        #expect(bridge.output.contains("demo (simulated)"))
        #expect(bridge.output.contains("mosquitto_sub -h 127.0.0.1 -p \(port) -v -t 'printer2mqtt/#'"))
        let observer = try await Observer(port: port)
        try await observer.wait(for: "printer2mqtt/demo/stream/status") { $0 == "healthy" }
        let epoch = JSONObject(observer.latest["printer2mqtt/demo/config"] ?? "")["meta.epoch"]
        #expect(await bridge.stop() == 0)
        try await eventually("the end of the private broker") { !self.listens(port) }

        let second = try program.run()
        try await second.waitForOutput("mosquitto_pub")
        // Another one, if something else has 1883.
        let secondPort = try self.port(in: second.output)
        let again = try await Observer(port: secondPort)
        try await again.wait(for: "printer2mqtt/demo/stream/status") { $0 == "healthy" }
        #expect(JSONObject(again.latest["printer2mqtt/demo/config"] ?? "")["meta.epoch"] == epoch)
        second.signal(SIGKILL)
        try await eventually("the end of the private broker after the bridge was killed") { !self.listens(secondPort) }
    }

    /// The private broker's port, as the banner tells it.
    private func port(in output: String) throws -> Int {
        try #require(output.firstMatch(of: /mqtt:\/\/127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
    }

    private func listens(_ port: Int) -> Bool {
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
        let suffix = String(format: ":%04X", port)
        return tables.joined().split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[1].hasSuffix(suffix) && fields[3] == "0A"
        }
    }

    @Test("The simulated printer goes by itself when a real broker is set, also from Home Assistant")
    func demoGoes() async throws {
        let program = try BridgeProgram(configuration: "")
        let first = try program.run()
        try await first.waitForOutput("demo (simulated)")
        #expect(await first.stop() == 0)

        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(port: broker.port)
        let real = ["PRINTER2MQTT_MQTT_URL": "mqtt://127.0.0.1:\(broker.port)"]
        let discovery = "homeassistant/device/printer2mqtt_demo/config"
        // Kept by request, and then gone with all that it has published.
        let kept = try program.run(["--demo"], environment: real)
        try await observer.wait(for: discovery)
        try await observer.wait(for: "printer2mqtt/demo/stream/status") { $0 == "healthy" }
        #expect(await kept.stop() == 0)
        let last = try program.run(environment: real)
        try await observer.wait(for: "printer2mqtt/demo/config") { $0.isEmpty }
        try await observer.wait(for: discovery) { $0.isEmpty }
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        #expect(!last.output.contains("demo (simulated)"), "\(last.output)")
        #expect(await last.stop() == 0)
    }
}
