import Foundation
import StoredSettings
import TestSupport
import Testing

@testable import WebInterface

@Suite("The server of metrics and health", .endsAll, .timeLimit(.minutes(5)))
struct StatusServerTests {
    @Test func `Many requests on one connection are one page, and the connection ends with it`() async throws {
        let page = try await RunningPage()
        let request = "GET /health HTTP/1.1\r\nHost: h\r\n\r\n"
        let answer = try await Browser(port: page.port).exchange(String(repeating: request, count: 100))
        #expect(answer.components(separatedBy: "HTTP/1.1 503").count == 2, "\(answer)")
    }

    @Test func `Monitoring on this machine needs no password, accepts dotless names and may only read`() async throws {
        let page = try await RunningPage { $0.password = "correct horse" }
        var program = Browser(port: page.port)
        program.host = "anything"
        #expect(try await program.get("/health?x=1").status == 503)
        let metrics = try await program.get("/metrics")
        #expect(metrics.status == 200 && metrics.body.contains("printer2mqtt_broker_connected 0"))
        #expect(try await program.post("/metrics", "").status == 405)
    }
}
