import Foundation
import TestSupport
import Testing

@Suite("The bridge is killed while controllers go on", .endsAll, .timeLimit(.minutes(5)))
struct KillTests {
    @Test func `Despite kills, acknowledged commands apply exactly once and revisions never go back`() async throws {
        let broker = try await MosquittoBroker.start { $0.lines = ["max_queued_messages 0"] }
        let program = try Program(broker: broker.port, "  storm_limit: 0")
        let observer = try await Observer(broker, topic: "printer2mqtt/x1/config")
        var bridge = try program.start()
        try await bridge.waitForOutput("Connected to the broker")
        var count = 0
        for round in 1...8 {
            let numbers = (count + 1)...(count + 100)
            count = numbers.upperBound
            let log = program.directory.file("controller-\(round)")
            let controller = try broker.startController("serial", numbers, log: log)
            try await Task.sleep(for: .milliseconds(.random(in: 5...250)))
            await bridge.stop(SIGKILL)
            // It has the broker's word for each of them.
            #expect(await controller.exitStatus() == 0)
            bridge = try program.start()
            try await bridge.waitForOutput("Connected to the broker")
        }
        let topic = "printer2mqtt/x1/config"
        let last = try await observer.wait(for: topic, "serial", is: "\(count)", timeout: .seconds(120))
        #expect(last["meta.revision"] == "\(count)", "each command was applied once")
        let revisions = observer.messages.compactMap { Int(JSONObject($0.payload)["meta.revision"] ?? "") }
        #expect(zip(revisions, revisions.dropFirst()).allSatisfy(<=), "a revision went back")
        #expect(await bridge.stop() == 0)
    }
}
