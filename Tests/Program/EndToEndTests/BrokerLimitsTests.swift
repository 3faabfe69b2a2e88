import Foundation
import TestSupport
import Testing

@Suite("A broker with small limits", .endsAll, .timeLimit(.minutes(5)))
struct BrokerLimitsTests {
    @Test(arguments: ["5", "3.1.1"])
    func `What the bridge cannot do without is named in the log, with the setting`(version: String) async throws {
        let broker = try await MosquittoBroker.start { $0.lines = ["retain_available false"] }
        let program = try Program(broker: broker.port, "  protocol: '\(version)'")
        let bridge = try program.start()
        try await bridge.waitForOutput("retain_available")
        #expect(program.everythingSaid.contains("Cannot connect to the broker; retrying"))
        #expect(await bridge.stop() == 0)
    }

    @Test func `One message in flight is enough`() async throws {
        let broker = try await MosquittoBroker.start { $0.lines = ["max_inflight_messages 1"] }
        let bridge = try Program(broker: broker.port).start()
        let observer = try await Observer(broker)
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        for serial in ["1", "2", "3"] {
            try await broker.set(#"{"serial":"\#(serial)"}"#)
            try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: serial)
        }
        #expect(await bridge.stop() == 0)
    }
}
