import Foundation
import TestSupport
import Testing

@Suite("Secrets")
struct SecretTests {
    private let canary = "canary-7f3a9c"

    @Test("An access code appears on its own topic, sealed in the store, and nowhere else")
    func canaryIsNowhere() async throws {
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(port: broker.port)
        let program = try BridgeProgram(broker: broker.port, "  format: json")
        let bridge = try program.run()
        let command = #"{"printer_ip":"127.0.0.1","access_code":"\#(canary)","stream_port":9}"#
        try await publish(command, to: "printer2mqtt/x1/config/set", port: broker.port, retain: true)
        try await observer.wait(for: "printer2mqtt/x1/secret/stream_url") { $0.contains(canary) }
        try await observer.wait(for: "printer2mqtt/x1/stream/status") { $0 == "down" }
        let broken = #"{"access_code":"\#(canary)","probe_interval":"\#(canary)"#
        for payload in [broken, broken + "}", #"{"id":"\#(UUID())","set":{"access_code":["\#(canary)"]}}"#] {
            try await publish(payload, to: "printer2mqtt/x1/config/set", port: broker.port)
        }
        try await publish(
            "{\"printer\":\"\(canary)!\"}",
            to: "printer2mqtt/bridge/request/printer/add",
            port: broker.port
        )
        try await observer.wait(for: "printer2mqtt/bridge/response/printer/add")
        for command in [
            ["printer", "show", "x1"], ["printer", "list"], ["topics"], ["config", "show"],
            ["probe", "--printer", "x1"],
        ] {
            let child = try program.runToEnd(command)
            _ = await child.exitStatus()
            #expect(!child.output.contains(canary), "printer2mqtt \(command.joined(separator: " "))")
        }
        let arguments = try String(contentsOfFile: "/proc/\(bridge.pid)/cmdline", encoding: .utf8)
        #expect(!arguments.contains(canary))
        // core(5): a core file, where one is made at all, has none of its memory.
        let dumped = try String(contentsOfFile: "/proc/\(bridge.pid)/coredump_filter", encoding: .utf8)
        #expect(Int(dumped.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16) == 0)
        await bridge.stop()

        let told = observer.messages.filter { $0.payload.contains(canary) }.map(\.topic)
        #expect(
            Set(told) == [
                "printer2mqtt/x1/secret/stream_url", "printer2mqtt/x1/config/set",
                "printer2mqtt/bridge/request/printer/add",
            ]
        )
        #expect(observer.latest["printer2mqtt/x1/config/set"] != nil)
        #expect(!program.everythingSaid.contains(canary))
        for file in try FileManager.default.subpathsOfDirectory(atPath: program.state.path) {
            let bytes = try? Data(contentsOf: program.state.appendingPathComponent(file))
            #expect(bytes?.range(of: Data(canary.utf8)) == nil, "in clear in \(file)")
        }
    }
}
