import Foundation
import TestSupport
import Testing

@Suite("One limit for one camera", .endsAll, .timeLimit(.minutes(5)))
struct ProbeLimitTests {
    @Test func `A camera with four names gets at most four connections a minute despite bridge kills`() async throws {
        let server = try await FaultyRTSPServer(["close"], certificates: try await TestCertificates())
        let port = try #require(server.urls["close"].flatMap(URL.init)?.port)
        let broker = try await MosquittoBroker.start()
        let program = try Program(debugging: broker.port)
        let names = ["127.0.0.1", "localhost", "LOCALHOST", "::ffff:127.0.0.1"]
        for (number, name) in names.enumerated() {
            try await program.add("x\(number)", ["printer_ip=\(name)", "stream_port=\(port)", "model=x1c"])
        }
        let start = ContinuousClock.now
        for _ in 0..<5 {
            let bridge = try program.start()
            try await bridge.waitForOutput("Connected to the broker")
            for number in names.indices {
                try await broker.request("printer/probe", #"{"printer":"x\#(number)"}"#)
            }
            try await Task.sleep(for: .milliseconds(500))
            await bridge.stop(SIGKILL)
        }
        let command = try program.start(["probe", "--printer", "x0"])
        try await command.waitForOutput("This camera had 4 connections in the last minute: again in ")
        await command.stop()
        let count = server.events("close").count
        #expect(count <= 4 && count >= 2, "\(count) in \(ContinuousClock.now - start)")
    }

    @Test func `A refused access code is not tried again by a bridge that was killed, nor by a command`() async throws {
        let server = try await FaultyRTSPServer(["none"], certificates: try await TestCertificates())
        let port = try #require(server.urls["none"].flatMap(URL.init)?.port)
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(broker)
        let program = try Program(debugging: broker.port)
        let settings = ["printer_ip=127.0.0.1", "stream_port=\(port)", "model=x1c"]
        try await program.add("x1", settings, code: "87654321")
        for round in 0..<3 {
            let bridge = try program.start()
            try await bridge.waitForOutput("Connected to the broker")
            if round == 0 { try await observer.wait(for: "printer2mqtt/x1/stream", "reason", is: "unauthorized") }
            try await Task.sleep(for: .milliseconds(300))
            await bridge.stop(SIGKILL)
        }
        let command = try program.start(["probe", "--printer", "x1"])
        try await command.waitForOutput("This camera has just refused this access code: again in ")
        await command.stop()
        #expect(server.events("none").count == 1, "\(server.events("none"))")
    }
}
