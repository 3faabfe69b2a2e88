import Foundation
import TestSupport
import Testing

@Suite("The bridge is killed while controllers go on", .timeLimit(.minutes(3)))
struct KillTests {
    @Test func `Despite kills, acknowledged commands apply exactly once and revisions never go back`() async throws {
        var options = MosquittoBroker.Options()
        options.lines = ["max_queued_messages 0"]
        let broker = try await MosquittoBroker.start(options)
        let program = try BridgeProgram(
            configuration: "mqtt: {url: 'mqtt://127.0.0.1:\(broker.port)', storm_limit: 0}"
        )
        let observer = try await Observer(port: broker.port, topic: "printer2mqtt/x1/config")
        var bridge = try program.run()
        try await bridge.waitForOutput("Connected to the broker")
        var count = 0
        for round in 1...8 {
            let numbers = (count + 1)...(count + 100)
            count = numbers.upperBound
            let controller = try setSerials(
                numbers,
                port: broker.port,
                log: program.directory.file("controller-\(round)")
            )
            try await Task.sleep(for: .milliseconds(.random(in: 5...250)))
            bridge.signal(SIGKILL)
            await bridge.exitStatus(timeout: .seconds(10))
            // It has the broker's word for each of them.
            #expect(await controller.exitStatus() == 0)
            bridge = try program.run()
            try await bridge.waitForOutput("Connected to the broker")
        }
        let last: JSONObject
        do {
            last = try await observer.wait(
                for: "printer2mqtt/x1/config",
                "serial",
                is: "\(count)",
                timeout: .seconds(60)
            )
        } catch {
            throw TestFailure("\(error)\nbridge: \(bridge.output.suffix(2_000))\nbroker: \(broker.log.suffix(2_000))")
        }
        #expect(last["meta.revision"] == "\(count)", "each command was applied once")
        let revisions = observer.messages.compactMap { Int(JSONObject($0.payload)["meta.revision"] ?? "") }
        #expect(zip(revisions, revisions.dropFirst()).allSatisfy(<=), "a revision went back")
        #expect(await bridge.stop() == 0)
    }
}
