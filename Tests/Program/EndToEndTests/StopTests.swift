import Foundation
import TestSupport
import Testing

@Suite("The bridge is stopped or killed while controllers go on", .endsAll, .timeLimit(.minutes(5)))
struct StopTests {
    @Test(arguments: [false, true])
    func `The end of its terminal ends it in good order, unless nohup keeps it`(isKept: Bool) async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(debugging: broker.port)
        let observer = try await Observer(broker, topic: "printer2mqtt/bridge/availability")
        let bridge = try ChildProcess(
            "/usr/bin/env",
            (isKept ? ["nohup"] : []) + [Program.path, "run"],
            environment: program.environment,
            log: program.directory.file("log")
        )
        let topic = "printer2mqtt/bridge/availability"
        try await observer.wait(for: topic) { $0 == "online" }
        bridge.signal(SIGHUP)
        if isKept {
            try await Task.sleep(for: .seconds(2))
            #expect(observer.messages.count == 1)
            #expect(await bridge.stop() == 0)
        } else {
            #expect(await bridge.exitStatus() == 0)
        }
        try await observer.wait(for: topic) { $0 == "offline" }
        #expect(!bridge.output.contains("Connection to the broker lost"))
    }

    @Test(
        arguments: [
            (SIGKILL, "5", 8, 100), (SIGTERM, "5", 1, 150), (SIGINT, "5", 1, 150), (SIGTERM, "3.1.1", 1, 150),
            (SIGINT, "3.1.1", 1, 150),
        ] as [(Int32, String, Int, Int)]
    )
    func `No command is lost or applied twice, and no revision goes back, when the bridge is stopped or killed`(
        signal: Int32,
        protocolVersion: String,
        rounds: Int,
        commands: Int
    ) async throws {
        let broker = try await MosquittoBroker.start { $0.lines = ["max_queued_messages 0"] }
        let program = try Program(broker: broker.port, "  protocol: '\(protocolVersion)'\n  storm_limit: 0")
        let topic = "printer2mqtt/x1/config"
        let observer = try await Observer(broker, topic: topic)
        let answers = try await Observer(broker, topic: topic + "/result")
        var bridge = try program.start()
        try await broker.set(#"{"serial":"0"}"#, retain: true)
        try await observer.wait(for: topic, "serial", is: "0")
        for round in 0..<rounds {
            let numbers = (round * commands + 1)...((round + 1) * commands)
            let log = program.directory.file("controller-\(round)")
            let controller = try broker.startController("serial", numbers, log: log)
            if signal == SIGKILL {
                try await Task.sleep(for: .milliseconds(.random(in: 5...250)))
            } else {
                try await eventually("some are applied") {
                    observer.latest[topic].map { JSONObject($0)["serial"] != "0" } == true
                }
            }
            #expect(await bridge.stop(signal) == (signal == SIGKILL ? 128 + SIGKILL : 0))
            // It has the broker's word for each of them.
            #expect(await controller.exitStatus() == 0)
            bridge = try program.start()
            try await bridge.waitForOutput("Connected to the broker")
        }
        let count = rounds * commands
        let last = try await observer.wait(for: topic, "serial", is: "\(count)", timeout: .seconds(120))
        #expect(last["meta.revision"] == "\(count + 1)", "each command was applied once")
        if signal != SIGKILL {
            try await eventually("each command is answered") {
                Set(answers.messages.compactMap { JSONObject($0.payload)["revision"] }).count == count + 1
            }
        }
        let revisions = observer.messages.compactMap { Int(JSONObject($0.payload)["meta.revision"] ?? "") }
        #expect(zip(revisions, revisions.dropFirst()).allSatisfy(<=), "a revision went back")
        #expect(await bridge.stop() == 0, "\(program.everythingSaid.suffix(2_000))")
    }

    @Test func `Told to stop at any moment, it says offline and ends well`() async throws {
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(broker, topic: "printer2mqtt/bridge/availability")
        let program = try Program(debugging: broker.port)
        for round in 1...20 {
            let bridge = try program.start(["run", "--demo"])
            // From the moment on at which it listens to signals.
            try await bridge.waitForOutput("printer add")
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...500)))
            #expect(await bridge.stop(round.isMultiple(of: 2) ? SIGTERM : SIGINT) == 0, "\(bridge.output)")
            try await eventually("it says so") { observer.latest["printer2mqtt/bridge/availability"] != "online" }
        }
    }
}
