import Foundation
import TestSupport
import Testing

@Suite("RabbitMQ", .timeLimit(.minutes(5)), .enabled(if: RabbitMQBroker.isInstalled, "\(RabbitMQBroker.advice)"))
struct RabbitMQTests {
    @Test(.endsAll) func `With RabbitMQ the bridge suggests MQTT 3.1.1 and then finds retained commands`() async throws
    {
        let broker = try await RabbitMQBroker()
        let first = try Program(broker: broker.port).start()
        try await first.waitForOutput("set mqtt.protocol to 3.1.1")
        #expect(await first.stop() == 0)

        let program = try Program(broker: broker.port, "  protocol: '3.1.1'")
        try await program.add("x1", [])
        try await broker.set(#"{"serial":"kept"}"#, retain: true)
        let bridge = try program.start()
        try await bridge.waitForOutput("status=applied")
        try await broker.set(#"{"serial":"live"}"#)
        try await eventually("the live message is applied") {
            try await program.run("printer", "show", "x1").output.contains("live")
        }
        #expect(await bridge.stop() == 0)
        await broker.stop()
    }
}
