import Bridge
import Foundation
import Testing

@testable import WebInterface

@Suite("Metrics and health")
struct StatusPageTests {
    private func state(isConnected: Bool = true) -> StatusPage.State {
        let health = BridgeHealth(
            uptime: 12.5,
            residentMemory: 1_000,
            counters: [.probes: 3],
            printers: [.healthy: 1],
            time: .noon
        )
        return StatusPage.State(health: health, isConnected: isConnected, printers: [.healthy, .sample("new", [:])])
    }

    @Test("Health fails without a broker", arguments: [(true, 200, "connected"), (false, 503, "disconnected")])
    func health(isConnected: Bool, status: Int, broker: String) {
        let page = StatusPage.health(state(isConnected: isConnected))
        #expect(page.status == status)
        #expect(page.body.contains(#""broker":"\#(broker)""#) && page.body.contains(#""uptime":12"#), "\(page.body)")
    }

    @Test("Metrics are as they were judged right, and hold no access code")
    func metrics() throws {
        let page = StatusPage.metrics(state())
        let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Golden/metrics.txt")
        #expect(page.body == (try String(contentsOf: golden, encoding: .utf8)))
        #expect(!page.body.contains("12345678"))
    }
}
