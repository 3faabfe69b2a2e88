import Foundation
import TestSupport
import Testing

@Suite("RabbitMQ", .timeLimit(.minutes(3)), .enabled(if: RabbitMQBroker.isInstalled, "\(RabbitMQBroker.advice)"))
struct RabbitMQTests {
    @Test func `With RabbitMQ the bridge suggests MQTT 3.1.1 and then finds retained commands`() async throws {
        let broker = try await RabbitMQBroker()
        let five = try BridgeProgram(configuration: "mqtt: {url: 'mqtt://127.0.0.1:\(broker.port)'}")
        let first = try five.run()
        try await first.waitForOutput("set mqtt.protocol to 3.1.1")
        #expect(await first.stop() == 0)

        let program = try BridgeProgram(
            configuration: "mqtt: {url: 'mqtt://127.0.0.1:\(broker.port)', protocol: '3.1.1'}"
        )
        #expect(try await program.command("printer", "add", "x1").status == 0)
        try await publish(
            #"{"serial":"kept"}"#,
            to: "printer2mqtt/x1/config/set",
            port: broker.port,
            retain: true
        )
        let bridge = try program.run()
        try await bridge.waitForOutput("status=applied")
        try await publish(#"{"serial":"live"}"#, to: "printer2mqtt/x1/config/set", port: broker.port)
        try await eventually("the live message is applied") {
            try await program.command("printer", "show", "x1").output.contains("live")
        }
        #expect(await bridge.stop() == 0)
        await broker.stop()
    }
}
