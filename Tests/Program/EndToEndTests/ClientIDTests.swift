import Foundation
import TestSupport
import Testing

@Suite("Client ids that the broker decides about", .endsAll, .timeLimit(.minutes(5)))
struct ClientIDTests {
    private static let controller = ["-u", "controller", "-P", "secret"]

    private func broker(_ change: (inout MosquittoBroker.Options) -> Void) async throws -> MosquittoBroker {
        try await MosquittoBroker.start {
            $0.passwords = ["bridge": "secret", "controller": "secret"]
            change(&$0)
        }
    }

    private func program(_ broker: MosquittoBroker, _ version: String, id: String = "") throws -> Program {
        let account = "  username: bridge\n  password: secret\n"
        return try Program(broker: broker.port, "  protocol: '\(version)'\n  client_id: '\(id)'\n\(account)")
    }

    @Test(arguments: ["5", "3.1.1"])
    func `With one client id per account, commands do not disconnect the bridge or lose messages`(version: String)
        async throws
    {
        let broker = try await broker { $0.listenerLines = ["use_username_as_clientid true"] }
        let program = try program(broker, version)
        func commands() async throws -> [(status: Int32, output: String)] {
            let (health, list) = (try await program.run("health"), try await program.run("printer", "list"))
            return [health, list, try await program.run("doctor")]
        }
        func takeovers() -> Int { broker.log.split(separator: "\n").count { $0.contains("already connected") } }

        let first = try program.start()
        try await eventually("the bridge is online") { try await program.run("health").output == "online\n" }
        try await broker.set(#"{"serial":"1"}"#, as: Self.controller)
        try await eventually("the printer is known") { try await program.run("printer", "list").output.contains("x1") }
        let beside = try await commands()
        #expect(beside.map(\.status) == [0, 0, 0], "\(beside.map(\.output))")
        #expect(!beside[1].output.contains("not known") && beside[2].output.contains("The running bridge is connected"))
        #expect(beside[2].output.contains("The bridge receives commands"), "\(beside[2].output)")
        #expect(takeovers() == 0, "\(broker.log)")
        #expect(await first.stop() == 0)

        try await broker.set(#"{"serial":"2"}"#, as: Self.controller)
        let alone = try await commands()
        #expect(takeovers() == 0, "\(broker.log)")
        #expect(alone[2].output.contains("use_username_as_clientid"), "\(alone[2].output)")

        let second = try program.start()
        try await eventually("the command that waited is applied") {
            try await program.run("printer", "show", "x1", "--json").output.contains(#""serial":"2""#)
        }
        #expect(await second.stop() == 0)
    }

    @Test(arguments: ["5", "3.1.1"])
    func `Where ids need a prefix, those of commands have the bridge's; another one is named`(version: String)
        async throws
    {
        let broker = try await broker { $0.lines = ["clientid_prefixes house-"] }
        let right = try program(broker, version, id: "house-printers")
        #expect(!(try await right.run("doctor")).output.contains("refuses the user"))
        let wrong = try program(broker, version, id: "garage")
        let output = try await wrong.run("doctor").output
        #expect(output.contains("garage-doctor") && output.contains("clientid_prefixes"), "\(output)")
        let bridge = try wrong.start()
        try await bridge.waitForOutput("'garage'")
        #expect(await bridge.stop() == 0)
    }

    @Test(arguments: ["5", "3.1.1"])
    func `Doctor leaves no session on an ordinary broker`(version: String) async throws {
        let broker = try await broker { $0.lines = ["sys_interval 1"] }
        let program = try program(broker, version)
        #expect(try await program.run("doctor").output.contains("accepts the connection"))
        let directory = try TemporaryDirectory()
        let sessions = try ChildProcess(
            "mosquitto_sub",
            ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "$SYS/broker/clients/total", "-W", "5"] + Self.controller,
            log: directory.file("log")
        )
        _ = await sessions.exitStatus(timeout: .seconds(20))
        // The subscriber itself.
        let count = sessions.output.split(separator: "\n").last { Int($0) != nil }
        #expect(count == "1", "\(sessions.output) \(broker.log)")
    }
}
