import Foundation
import TestSupport
import Testing

@Suite("The bridge is stopped while controllers go on", .endsAll, .timeLimit(.minutes(5)))
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

    @Test(arguments: [SIGTERM, SIGINT], ["5", "3.1.1"])
    func `No command is lost or applied twice, wherever it is when the bridge is told to stop`(
        signal: Int32,
        protocolVersion: String
    ) async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(broker: broker.port, "  protocol: '\(protocolVersion)'\n  storm_limit: 0")
        let observer = try await Observer(broker, topic: "printer2mqtt/x1/config")
        let bridge = try program.start()
        try await broker.set(#"{"serial":"0"}"#, retain: true)
        try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: "0")
        let commands = 1...400
        let controller = try broker.startController("serial", commands, log: program.directory.file("controller"))
        try await eventually("some are applied") {
            observer.latest["printer2mqtt/x1/config"].map { JSONObject($0)["serial"] != "0" } == true
        }
        await bridge.stop(signal)
        #expect(await controller.exitStatus() == 0)
        let second = try program.start()
        try await second.waitForOutput("Connected to the broker")
        let last = try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: "\(commands.upperBound)")
        #expect(last["meta.revision"] == "\(commands.count + 1)", "each changed the serial once")
        #expect(await second.stop() == 0, "\(program.everythingSaid.suffix(2_000))")
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
