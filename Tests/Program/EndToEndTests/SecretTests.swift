import Foundation
import TestSupport
import Testing

@Suite("Secrets", .endsAll)
struct SecretTests {
    private let canary = "canary-7f3a9c"

    @Test func `An access code appears on its own topic, sealed in the store, and nowhere else`() async throws {
        let (broker, observer, program, bridge) = try await startBridge("  format: json")
        let follower = try program.start(["topics", "--follow"])
        try await follower.waitForOutput("bridge/availability")
        let command = #"{"printer_ip":"127.0.0.1","access_code":"\#(canary)","stream_port":9}"#
        try await broker.set(command, retain: true)
        try await observer.wait(for: "printer2mqtt/x1/secret/stream_url") { $0.contains(canary) }
        try await observer.wait(for: "printer2mqtt/x1/stream/status") { $0 == "down" }
        let broken = #"{"access_code":"\#(canary)","probe_interval":"\#(canary)"#
        for payload in [broken, broken + "}", #"{"id":"\#(UUID())","set":{"access_code":["\#(canary)"]}}"#] {
            try await broker.set(payload)
        }
        try await follower.waitForOutput(#""set":{"access_code":"********"}"#)
        try await broker.publish("\u{1B}]0;\u{7}a\nb", to: "printer2mqtt/x1/foreign")
        try await follower.waitForOutput("x1/foreign\t?]0;?a b\n")
        await follower.stop()
        #expect(follower.output.contains("config/set\t(\(broken.utf8.count) bytes that are no JSON object)"))
        try await broker.request("printer/add", "{\"printer\":\"\(canary)!\"}")
        try await observer.wait(for: "printer2mqtt/bridge/response/printer/add")
        let commands = [["printer", "show", "x1"], ["printer", "list"], ["topics"], ["config", "show"]]
        for command in commands + [["probe", "--printer", "x1"]] {
            #expect(try await !program.run(command).output.contains(canary), "\(command)")
        }
        let arguments = try String(contentsOfFile: "/proc/\(bridge.pid)/cmdline", encoding: .utf8)
        #expect(!arguments.contains(canary))
        // core(5): a core file, where one is made at all, has none of its memory.
        let dumped = try String(contentsOfFile: "/proc/\(bridge.pid)/coredump_filter", encoding: .utf8)
        #expect(Int(dumped.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16) == 0)
        await bridge.stop()

        let told = observer.messages.filter { $0.payload.contains(canary) }.map(\.topic)
        let own = ["x1/secret/stream_url", "x1/config/set", "bridge/request/printer/add"].map { "printer2mqtt/\($0)" }
        #expect(Set(told) == Set(own))
        #expect(observer.latest["printer2mqtt/x1/config/set"] != nil)
        try program.expectNowhere(canary)
    }

    @Test func `The token of a viewer is shown once, sealed in the store, and nowhere else`() async throws {
        let port = try freePort()
        let (_, observer, program, bridge) = try await startBridge("http:\n  port: \(port)")
        let page = "http://127.0.0.1:\(port)"
        func curl(_ arguments: String...) async throws -> String {
            let jar = program.directory.file("cookies").path
            // The page may be there a moment after the topics.
            let retries = ["--retry", "30", "--retry-delay", "1", "--retry-connrefused"]
            return try await ChildProcess.run("curl", ["-sS", "-b", jar, "-c", jar] + retries + arguments)
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
        try program.expectNowhere(String(token))
        #expect(!observer.messages.contains { $0.payload.contains(token) })
    }
}
