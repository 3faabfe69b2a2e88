import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct `Clearing what the bridge has published` {
    @Test func `No topic and no device is left, and the command says why if it cannot clear them`() async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(
            "mqtt:\n  url: mqtt://127.0.0.1:\(broker.port)\nhttp:\n  enabled: false\nrtsp:\n  port: 0\n"
        )
        let added = try await program.run("printer", "add", "x1", "printer_ip=192.0.2.7", "probe_enabled=false")
        #expect(added.status == 0, "\(added.output)")
        let bridge = try program.start(["run"])
        try await eventually("the device is published") {
            try await retained(broker, program).contains("homeassistant/device/printer2mqtt_x1/config")
        }
        let early = try await program.run("clear")
        #expect(
            early.status == 69 && early.output.contains("publish everything again: stop the bridge first"),
            "\(early.output)"
        )
        await bridge.stop()
        let before = try await retained(broker, program)
        #expect(before.contains("printer2mqtt/x1/config"))
        let (status, output) = try await program.run("clear")
        #expect(
            status == 0 && output.hasPrefix("Cleared \(before.split(separator: "\n").count) topics on "),
            "\(output)"
        )
        #expect(try await retained(broker, program) == "")
        let again = try await program.run("clear")
        #expect(again.status == 0 && again.output.hasPrefix("Nothing of the bridge is left on "), "\(again.output)")
        let next = try program.start(["run"])
        try await eventually("the device is published again") {
            try await retained(broker, program).contains("homeassistant/device/printer2mqtt_x1/config")
        }
        await next.stop()
        broker.signal(SIGSTOP)
        let late = try await program.run("clear")
        broker.signal(SIGCONT)
        #expect(late.status == 69 && late.output.contains("stay there"), "\(late.output)")
        withExtendedLifetime(broker) {}
    }

    /// The names of the retained topics, a line for each.
    private func retained(_ broker: MosquittoBroker, _ program: Program) async throws -> String {
        let child = try ChildProcess(
            "mosquitto_sub",
            ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "#", "-W", "1", "-F", "%t"],
            log: program.directory.file("sub-\(UUID().uuidString).log")
        )
        _ = await child.exitStatus()
        return child.output.split(separator: "\n").filter { !$0.contains("Timed out") }.joined(separator: "\n")
    }
}
