import Foundation
import TestSupport
import Testing

@testable import printer2mqtt

@Suite(.endsAll, .timeLimit(.minutes(5)))
struct `Clearing what the bridge has published` {
    @Test func `No topic and no device is left, and the command says why if it cannot clear them`() async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(broker: broker.port, "http:\n  enabled: false\nrtsp:\n  port: 0\n")
        try await program.add("x1", ["printer_ip=192.0.2.7", "probe_enabled=false"])
        let bridge = try program.start(["run"])
        try await eventually("the device is published") {
            try await retained(broker, program).contains("homeassistant/device/printer2mqtt_x1/config")
        }
        try await program.check(["clear"], status: 69, says: "publish everything again: stop the bridge first")
        await bridge.stop()
        let before = try await retained(broker, program)
        #expect(before.contains("printer2mqtt/x1/config"))
        try await program.check(["clear"], says: "Cleared \(before.split(separator: "\n").count) topics on ")
        #expect(try await retained(broker, program) == "")
        try await program.check(["clear"], says: "Nothing of the bridge is left on ")
        let next = try program.start(["run"])
        try await eventually("the device is published again") {
            try await retained(broker, program).contains("homeassistant/device/printer2mqtt_x1/config")
        }
        await next.stop()
        broker.signal(SIGSTOP)
        let clearing = try program.start(["clear"])
        try await eventually("no bridge may start") { ProcessLock.isHeld(program.state.path + "/lock") }
        #expect(await clearing.exitStatus() == 69 && clearing.output.contains("stay there"), "\(clearing.output)")
        broker.signal(SIGCONT)
    }

    /// The names of the retained topics, a line for each.
    private func retained(_ broker: MosquittoBroker, _ program: Program) async throws -> String {
        let child = try ChildProcess(
            "mosquitto_sub",
            ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "#", "-W", "3", "-F", "%t"],
            log: program.directory.file("sub-\(UUID().uuidString).log")
        )
        _ = await child.exitStatus()
        return child.output.split(separator: "\n").filter { !$0.contains("Timed out") }.joined(separator: "\n")
    }
}
