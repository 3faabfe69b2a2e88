import Foundation
import TestSupport
import Testing

@Suite("A broker with small limits", .timeLimit(.minutes(2)))
struct BrokerLimitsTests {
    private func program(_ broker: MosquittoBroker, protocol version: String = "5") throws -> BridgeProgram {
        try BridgeProgram(
            configuration: "mqtt: {url: 'mqtt://127.0.0.1:\(broker.port)', protocol: '\(version)'}"
        )
    }

    private func broker(_ lines: [String]) async throws -> MosquittoBroker {
        var options = MosquittoBroker.Options()
        options.lines = lines
        return try await MosquittoBroker.start(options)
    }

    @Test(arguments: [
        ("retain_available false", "5", "retain_available"),
        ("retain_available false", "3.1.1", "retain_available"),
    ])
    func `What the bridge cannot do without is named in the log, with the setting`(
        line: String,
        version: String,
        advice: String
    ) async throws {
        let broker = try await broker([line])
        let program = try program(broker, protocol: version)
        let bridge = try program.run()
        try await bridge.waitForOutput(advice)
        #expect(program.everythingSaid.contains("Cannot connect to the broker; retrying"))
        #expect(await bridge.stop() == 0)
    }

    @Test func `One message in flight is enough`() async throws {
        let broker = try await broker(["max_inflight_messages 1"])
        let program = try program(broker)
        let bridge = try program.run()
        let observer = try await Observer(port: broker.port)
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        for serial in ["1", "2", "3"] {
            try await publish(#"{"serial":"\#(serial)"}"#, to: "printer2mqtt/x1/config/set", port: broker.port)
            try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: serial)
        }
        #expect(await bridge.stop() == 0)
    }

    @Test func `An access list that keeps commands from the bridge is noticed`() async throws {
        var options = MosquittoBroker.Options()
        options.acl = "topic write printer2mqtt/#\ntopic write homeassistant/#\ntopic read printer2mqtt/bridge/#\n"
        let broker = try await MosquittoBroker.start(options)
        let program = try program(broker)
        let bridge = try program.run()
        try await bridge.waitForOutput(
            "allow the bridge's user in the broker's ACL to read and write that topic",
            timeout: .seconds(40)
        )
        #expect(await bridge.stop() == 0)
    }
}
