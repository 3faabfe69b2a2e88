import Foundation
import TestSupport
import Testing

@Suite("One limit for one camera", .timeLimit(.minutes(2)))
struct ProbeLimitTests {
    @Test func `A camera with four names gets at most four connections a minute despite bridge kills`() async throws {
        let server = try await FaultyRTSPServer(["close"], certificates: try await TestCertificates())
        let port = try #require(server.urls["close"].flatMap(URL.init)?.port)
        let broker = try await MosquittoBroker.start()
        let program = try BridgeProgram(broker: broker.port)
        let names = ["127.0.0.1", "localhost", "LOCALHOST", "::ffff:127.0.0.1"]
        for (number, name) in names.enumerated() {
            let added = try await program.command(
                "printer",
                "add",
                "x\(number)",
                "printer_ip=\(name)",
                "stream_port=\(port)",
                "model=x1c",
                environment: ["PRINTER2MQTT_ACCESS_CODE": "12345678"]
            )
            #expect(added.status == 0, "\(added.output)")
        }
        let start = ContinuousClock.now
        for _ in 0..<5 {
            let bridge = try program.run()
            try await bridge.waitForOutput("Connected to the broker")
            for number in names.indices {
                try await publish(
                    #"{"printer":"x\#(number)"}"#,
                    to: "printer2mqtt/bridge/request/printer/probe",
                    port: broker.port
                )
            }
            try await Task.sleep(for: .milliseconds(500))
            bridge.signal(SIGKILL)
            await bridge.exitStatus(timeout: .seconds(10))
        }
        let command = try program.runToEnd(["probe", "--printer", "x0"])
        try await command.waitForOutput("This camera was probed 4 times in the last minute: again in ")
        command.signal(SIGTERM)
        await command.exitStatus(timeout: .seconds(10))
        let count = server.events("close").count
        #expect(count <= 4 && count >= 2, "\(count) in \(ContinuousClock.now - start)")
        await server.stop()
    }

    @Test func `A refused access code is not tried again by a bridge that was killed, nor by a command`() async throws {
        let server = try await FaultyRTSPServer(["none"], certificates: try await TestCertificates())
        let port = try #require(server.urls["none"].flatMap(URL.init)?.port)
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(port: broker.port)
        let program = try BridgeProgram(broker: broker.port)
        let added = try await program.command(
            "printer",
            "add",
            "x1",
            "printer_ip=127.0.0.1",
            "stream_port=\(port)",
            "model=x1c",
            environment: ["PRINTER2MQTT_ACCESS_CODE": "87654321"]
        )
        #expect(added.status == 0, "\(added.output)")
        for round in 0..<3 {
            let bridge = try program.run()
            try await bridge.waitForOutput("Connected to the broker")
            if round == 0 { try await observer.wait(for: "printer2mqtt/x1/stream", "reason", is: "unauthorized") }
            try await Task.sleep(for: .milliseconds(300))
            bridge.signal(SIGKILL)
            await bridge.exitStatus(timeout: .seconds(10))
        }
        let command = try program.runToEnd(["probe", "--printer", "x1"])
        try await command.waitForOutput("This camera has just refused this access code: again in ")
        command.signal(SIGTERM)
        await command.exitStatus(timeout: .seconds(10))
        #expect(server.events("none").count == 1, "\(server.events("none"))")
        await server.stop()
    }
}
