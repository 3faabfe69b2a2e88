import Foundation
import TestSupport
import Testing

@Suite("Client ids that the broker decides about", .timeLimit(.minutes(2)))
struct ClientIDTests {
    private static let account = "  username: bridge\n  password: secret\n"

    private func broker(_ change: (inout MosquittoBroker.Options) -> Void) async throws -> MosquittoBroker {
        var options = MosquittoBroker.Options()
        options.passwords = ["bridge": "secret", "controller": "secret"]
        change(&options)
        return try await MosquittoBroker.start(options)
    }

    private func program(_ broker: MosquittoBroker, protocol version: String = "5", id: String = "") throws
        -> BridgeProgram
    {
        try BridgeProgram(
            configuration: "mqtt:\n  url: mqtt://127.0.0.1:\(broker.port)\n  protocol: '\(version)'\n"
                + "  client_id: '\(id)'\n\(Self.account)"
        )
    }

    private func send(_ payload: String, to topic: String, _ broker: MosquittoBroker) async throws {
        let directory = try TemporaryDirectory()
        let child = try ChildProcess(
            "mosquitto_pub",
            [
                "-h", "127.0.0.1", "-p", "\(broker.port)", "-u", "controller", "-P", "secret", "-q", "1", "-t", topic,
                "-m", payload,
            ],
            log: directory.file("log")
        )
        guard await child.exitStatus() == 0 else { throw TestFailure(child.output) }
    }

    @Test(arguments: ["5", "3.1.1"])
    func `With one client id per account, commands do not disconnect the bridge or lose messages`(version: String)
        async throws
    {
        let broker = try await broker { $0.listenerLines = ["use_username_as_clientid true"] }
        let program = try program(broker, protocol: version)
        func commands() async throws -> [(status: Int32, output: String)] {
            [
                try await program.command("health"), try await program.command("printer", "list"),
                try await program.command("doctor"),
            ]
        }
        func takeovers() -> Int { broker.log.split(separator: "\n").count { $0.contains("already connected") } }

        let first = try program.run()
        try await eventually("the bridge is online") { try await program.command("health").output == "online\n" }
        try await send(#"{"serial":"1"}"#, to: "printer2mqtt/x1/config/set", broker)
        try await eventually("the printer is known") {
            try await program.command("printer", "list").output.contains("x1")
        }
        let beside = try await commands()
        #expect(beside.map(\.status) == [0, 0, 0], "\(beside.map(\.output))")
        #expect(!beside[1].output.contains("not known") && beside[2].output.contains("The running bridge is connected"))
        #expect(beside[2].output.contains("The bridge receives commands"), "\(beside[2].output)")
        #expect(takeovers() == 0, "\(broker.log)")
        #expect(await first.stop() == 0)

        try await send(#"{"serial":"2"}"#, to: "printer2mqtt/x1/config/set", broker)
        let alone = try await commands()
        #expect(takeovers() == 0, "\(broker.log)")
        #expect(alone[2].output.contains("use_username_as_clientid"), "\(alone[2].output)")

        let second = try program.run()
        try await eventually("the command that waited is applied") {
            try await program.command("printer", "show", "x1", "--json").output.contains(#""serial":"2""#)
        }
        #expect(await second.stop() == 0)
    }

    @Test(arguments: ["5", "3.1.1"])
    func `Where ids need a prefix, those of commands have the bridge's; another one is named`(version: String)
        async throws
    {
        let broker = try await broker { $0.lines = ["clientid_prefixes house-"] }
        let right = try program(broker, protocol: version, id: "house-printers")
        #expect(!(try await right.command("doctor")).output.contains("refuses the user"))
        let wrong = try program(broker, protocol: version, id: "garage")
        let output = try await wrong.command("doctor").output
        #expect(output.contains("garage-doctor") && output.contains("clientid_prefixes"), "\(output)")
        let bridge = try wrong.run()
        try await bridge.waitForOutput("'garage'")
        #expect(await bridge.stop() == 0)
    }

    @Test(arguments: ["5", "3.1.1"])
    func `Doctor leaves no session on an ordinary broker`(version: String) async throws {
        let broker = try await broker { $0.lines = ["sys_interval 1"] }
        let program = try program(broker, protocol: version)
        #expect(try await program.command("doctor").output.contains("accepts the connection"))
        let directory = try TemporaryDirectory()
        let sessions = try ChildProcess(
            "mosquitto_sub",
            [
                "-h", "127.0.0.1", "-p", "\(broker.port)", "-u", "controller", "-P", "secret",
                "-t", "$SYS/broker/clients/total", "-W", "5",
            ],
            log: directory.file("log")
        )
        _ = await sessions.exitStatus(timeout: .seconds(20))
        // The subscriber itself.
        #expect(
            sessions.output.split(separator: "\n").last { Int($0) != nil } == "1",
            "\(sessions.output) \(broker.log)"
        )
    }
}
