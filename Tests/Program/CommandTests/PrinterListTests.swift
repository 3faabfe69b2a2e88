import Bridge
import Foundation
import TestSupport
import Testing

@Suite("The list of printers", .endsAll, .timeLimit(.minutes(5)))
struct PrinterListTests {
    private struct Document: Decodable {
        struct Printer: Decodable {
            var id: String
            var status: String
            var reason: String?
            var hint: String?
        }

        var source: String
        var note: String?
        var printers: [Printer]
    }

    private func list(_ program: Program) async throws -> Document {
        try JSONDecoder().decode(
            Document.self,
            from: Data(try await program.check(["printer", "list", "--json"]).utf8)
        )
    }

    @Test func `The list of printers has the states of the running bridge, and says so when it has not`() async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(broker: broker.port)
        try await program.add("x1", ["printer_ip=127.0.0.1", "stream_port=\(try freePort())"], code: "canary-code")
        try await program.add("x2", [], code: nil)
        let before = try await list(program)
        #expect(before.source == "store")
        #expect(before.note == "The states are not known: no bridge runs on this state folder.")
        #expect(before.printers.map(\.status) == ["unknown", "unconfigured"])

        let bridge = try program.start(["run"])
        let watch = try program.start(["printer", "list", "--watch", "--json"])
        let piped = try ChildProcess(
            "sh",
            ["-c", "'\(Program.path)' printer list --watch --json | head -1"],
            environment: program.environment,
            log: program.directory.file("piped")
        )
        try await eventually("the state of x1") { try await list(program).printers.first?.status == "down" }
        let after = try await list(program)
        #expect(after.source == "bridge" && after.note == nil)
        #expect(after.printers.map(\.status) == ["down", "unconfigured"])
        // A command may have another configuration than the bridge, which has not read it yet.
        try await program.check(["health"], environment: ["PRINTER2MQTT_MQTT_BASE_TOPIC": "other"], says: "online")
        bridge.signal(SIGSTOP)
        #expect(try await list(program).note == "The states are not known: the bridge does not answer.")
        bridge.signal(SIGCONT)
        #expect(after.printers.first?.reason == "tcp_refused" && after.printers.first?.hint?.isEmpty == false)
        let line = /warning +Stream: printer=x1 status=down hint=/
        try await eventually("it is logged: \(bridge.output)") { bridge.output.contains(line) }
        let table = try await program.run("printer", "list").output
        #expect(table.contains("down          tcp_refused") && !table.contains("\u{1B}"), "\(table)")
        try await watch.waitForOutput("tcp_refused")
        await broker.kill()
        #expect(try await list(program).source == "bridge", "it needs no broker")
        #expect(await bridge.stop() == 0)
        try await eventually("the end of the bridge is shown") {
            watch.output.split(separator: "\n").last?.contains("no bridge runs") == true
        }
        #expect(await watch.stop(SIGINT) == 128 + SIGINT)
        #expect(await piped.exitStatus(timeout: .seconds(30)) == 0, "a command that nobody reads any more ends")
        #expect(!watch.output.contains("canary"))
    }

    @Test func `The list of printers is coloured on a terminal, unless NO_COLOR is set`() async throws {
        let program = try Program()
        try await program.add("x1", [], code: nil)
        let coloured = try await TypedSession(program, ["printer", "list"], [], environment: ["NO_COLOR": ""])
        #expect(coloured.screen.contains("\u{1B}[33munconfigured\u{1B}[0m"), "\(coloured.screen)")
        let plain = try await TypedSession(program, ["printer", "list"], [], environment: ["NO_COLOR": "1"])
        #expect(plain.screen.contains("unconfigured") && !plain.screen.contains("\u{1B}"), "\(plain.screen)")
    }

    @Test func `Topics of thirty printers fit a terminal`() async throws {
        let program = try Program()
        try program.write("printers:\n" + (1...30).map { "  p\($0):\n    printer_ip: 192.0.2.\($0)\n" }.joined())
        let bridge = try program.start(["run"])
        try await bridge.waitForOutput("and 20 more")
        #expect(await bridge.stop() == 0)
        let session = try await TypedSession(program, ["topics"], [])
        let lines = session.screen.split(separator: "\n")
        #expect(lines.count < 40, "\(session.screen)")
        #expect(session.screen.contains("printer2mqtt/p1/config ") && !session.screen.contains("printer2mqtt/p2/"))
        #expect(session.screen.contains("The topics of p1 stand for those of p10, p11"))
        let one = try await TypedSession(program, ["topics", "--printer", "p2"], [])
        #expect(one.screen.contains("printer2mqtt/p2/config ") && !one.screen.contains("stand for"))
        let piped = try await program.run("topics").output.split(separator: "\n")
        #expect(piped.count > 100 && piped.allSatisfy { $0.contains("\t") })
    }

    @Test func `Topics show the addresses of the page and of the camera that the bridge publishes`() async throws {
        let program = try Program()
        // Its password is handed to the service alone.
        try program.write("http: {host: 192.0.2.9, port: 8099}")
        _ = try await program.run("printer", "add", "p1", "camera_url=http://192.0.2.1/stream")
        let topics = try await program.run("topics").output
        #expect(topics.contains(#""configuration_url":"http://192.0.2.9:8099/#edit/p1""#))
        #expect(topics.contains(#""viewer_url":"http://192.0.2.9:8099/camera/p1/stream""#))
    }
}
