import Foundation
import TestSupport
import Testing

@Suite("Two brokers with a bridge between them", .timeLimit(.minutes(2)))
struct BridgedBrokersTests {
    @Test("An old retained change that a reconnection brings back changes nothing")
    func reconnection() async throws {
        var options = MosquittoBroker.Options()
        options.persistence = true
        let far = try await MosquittoBroker.start(options)
        options = MosquittoBroker.Options()
        options.lines = [
            "connection far", "address 127.0.0.1:\(far.port)", "topic printer2mqtt/+/config/set in 1",
            "restart_timeout 1", "notifications false", "cleansession true",
        ]
        let near = try await MosquittoBroker.start(options)
        let program = try BridgeProgram(broker: near.port)
        let bridge = try program.run()
        let observer = try await Observer(port: near.port, topic: "printer2mqtt/#")
        try await publish(#"{"serial":"1"}"#, to: "printer2mqtt/x1/config/set", port: far.port, retain: true)
        try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: "1")
        try await publish(#"{"serial":"2"}"#, to: "printer2mqtt/x1/config/set", port: near.port)
        try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: "2")
        await far.stop()
        try await far.start()
        try await observer.wait(for: "printer2mqtt/x1/config/result", "status", is: "ignored", timeout: .seconds(40))
        #expect(JSONObject(observer.latest["printer2mqtt/x1/config"] ?? "")["serial"] == "2")
        #expect(await bridge.stop() == 0)
    }
}
