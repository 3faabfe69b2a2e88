import Foundation
import TestSupport
import Testing

@Suite("Without any configuration", .endsAll)
struct DefaultsTests {
    /// What the banner says on a line.
    private func row(_ name: String, of bridge: ChildProcess) throws -> String {
        let prefix = "   \(name) "
        let line = try #require(bridge.output.split(separator: "\n").first { $0.hasPrefix(prefix) }, "\(bridge.output)")
        return line.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces)
    }

    /// A shell that runs a line as it is printed.
    private func shell(_ line: String, in program: Program, _ more: [String: String] = [:]) throws -> ChildProcess {
        let folder = (Program.path as NSString).deletingLastPathComponent
        let path = ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"]
        // Without a shell between, the program itself is ended with the test.
        return try ChildProcess(
            "sh",
            ["-c", "exec \(line)"],
            environment: program.environment.merging(path) { $1 }.merging(more) { $1 },
            log: program.directory.file("shell-\(UUID().uuidString)")
        )
    }

    private func folder(of program: Program) -> URL { program.state.appending(path: "broker") }

    @Test func `A first start brings a private broker, a simulated printer and printed lines that work`() async throws {
        let program = try Program()
        // As a shell has to quote it.
        let state = program.directory.file("my state")
        let environment = ["XDG_STATE_HOME": state.path]
        let bridge = try program.start(environment: environment)
        try await bridge.waitForOutput("printer add")
        #expect(bridge.output.contains("demo (simulated)"))
        let look = try shell(row("look", of: bridge), in: program, environment)
        try await look.waitForOutput("printer2mqtt/demo/stream/status\thealthy")
        #expect(await (try shell(row("add", of: bridge), in: program, environment)).exitStatus() == 0)
        try await look.waitForOutput(#""printer_ip":"192.0.2.7""#)
        #expect(await bridge.stop() == 0)
        try await eventually("its broker's end") { processes(in: state.appending(path: "printer2mqtt/broker")).isEmpty }

        // Now there is a printer x1c: the line adds another one.
        let second = try program.start(environment: environment)
        try await second.waitForOutput("printer add")
        let again = try shell(row("look", of: second), in: program, environment)
        try await again.waitForOutput("printer2mqtt/x1c/config\t{")
        #expect(await (try shell(row("add", of: second), in: program, environment)).exitStatus() == 0)
        try await again.waitForOutput("printer2mqtt/x1c_2/config\t{")
        #expect(await second.stop() == 0)
        let messages = try Data(contentsOf: state.appending(path: "printer2mqtt/broker/mosquitto.db"))
        #expect(messages.contains("x1c/stream".utf8) && !messages.contains("secret/".utf8))
    }

    @Test func `A killed bridge ends its private broker, and no acknowledged message is lost`() async throws {
        let program = try Program()
        let bridge = try program.start()
        try await bridge.waitForOutput("printer add")
        let broker = folder(of: program)
        let client = "--unix '\(broker.path)/mqtt.sock' -t other/kept"
        #expect(await (try shell("mosquitto_pub \(client) -r -q 1 -m kept", in: program)).exitStatus() == 0)
        #expect(processes(in: broker).values.contains("mosquitto"))
        await bridge.stop(SIGKILL)
        // At once, as a supervisor does: the broker may still be writing its state.
        let next = try program.start()
        try await next.waitForOutput("printer add")
        let kept = try shell("mosquitto_sub \(client) -C 1 -W 20", in: program)
        #expect(await kept.exitStatus() == 0 && kept.output == "kept\n", "\(kept.output)")
        await next.stop(SIGKILL)
        try await eventually("the end of the private broker") { processes(in: broker).isEmpty }
    }

    @Test func `Killed while it starts, a bridge leaves no private broker behind`() async throws {
        let program = try Program()
        for _ in 0..<10 {
            let bridge = try program.start()
            try await eventually("the private broker begins to start") {
                !processes(in: folder(of: program)).isEmpty || !bridge.isRunning
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...50)))
            await bridge.stop(SIGKILL)
            try await eventually("the end of the private broker") { processes(in: folder(of: program)).isEmpty }
        }
    }

    @Test func `The simulated printer and its entities disappear by themselves with a real broker set`() async throws {
        let program = try Program()
        let first = try program.start()
        try await first.waitForOutput("demo (simulated)")
        #expect(await first.stop() == 0)
        let stored = folder(of: program).appending(path: "mosquitto.db").path
        #expect(FileManager.default.fileExists(atPath: stored))

        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(broker)
        let real = ["PRINTER2MQTT_MQTT_URL": "mqtt://127.0.0.1:\(broker.port)"]
        let discovery = "homeassistant/device/printer2mqtt_demo/config"
        // Kept by request, and then gone with all that it has published.
        let kept = try program.start(["run", "--demo"], environment: real)
        try await observer.wait(for: discovery)
        try await observer.wait(for: "printer2mqtt/demo/stream/status") { $0 == "healthy" }
        #expect(await kept.stop() == 0)
        let last = try program.start(environment: real)
        try await observer.wait(for: "printer2mqtt/demo/config") { $0.isEmpty }
        try await observer.wait(for: discovery) { $0.isEmpty }
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        #expect(!last.output.contains("demo (simulated)"), "\(last.output)")
        #expect(!FileManager.default.fileExists(atPath: program.state.appending(path: "demo-printer.pem").path))
        #expect(await last.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: stored))
    }
}
