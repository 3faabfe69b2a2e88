import Foundation
import TestSupport
import Testing

@Suite("Secrets")
struct SecretTests {
    private let canary = "canary-7f3a9c"

    @Test func `An access code appears on its own topic, sealed in the store, and nowhere else`() async throws {
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

    @Test func `The token of a viewer is shown once, sealed in the store, and nowhere else`() async throws {
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(port: broker.port)
        let port = try freePort()
        let program = try BridgeProgram(broker: broker.port, "http:\n  port: \(port)")
        let bridge = try program.run()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        let page = "http://127.0.0.1:\(port)"
        func curl(_ arguments: String...) async throws -> String {
            let jar = program.directory.file("cookies").path
            let log = program.directory.file("curl-\(UUID())")
            // The page may be there a moment after the topics.
            let retries = ["--retry", "30", "--retry-delay", "1", "--retry-connrefused"]
            let child = try ChildProcess("curl", ["-sS", "-b", jar, "-c", jar] + retries + arguments, log: log)
            try #require(await child.exitStatus() == 0, "\(child.output)")
            return child.output
        }
        let session = try await curl("\(page)/api/session")
        let change = try #require(session.firstMatch(of: #/"change_token":"(\w+)"/#)?.1)
        let made = try await curl(
            "\(page)/api/tokens",
            "-H",
            "Origin: \(page)",
            "-H",
            "X-Change-Token: \(change)",
            "-d",
            #"{"name":"Dashboard"}"#
        )
        let token = try #require(made.firstMatch(of: #/"token":"(\w{32})"/#)?.1)
        _ = try await curl("\(page)/camera/x1/stream?token=\(token)")
        for path in ["tokens", "report", "bridge"] {
            #expect(try await !curl("\(page)/api/\(path)").contains(token), "\(path)")
        }
        await bridge.stop()
        #expect(!program.everythingSaid.contains(token))
        #expect(!observer.messages.contains { $0.payload.contains(token) })
        for file in try FileManager.default.subpathsOfDirectory(atPath: program.state.path) {
            let bytes = try? Data(contentsOf: program.state.appendingPathComponent(file))
            #expect(bytes?.range(of: Data(token.utf8)) == nil, "in clear in \(file)")
        }
    }
}
