import Foundation
import NIOHTTP1
import Testing

@testable import Bridge

@Suite("Over HTTP")
struct StatusPageTests {
    private func state(isConnected: Bool = true) -> StatusPage.State {
        var printer = Printer.sample()
        _ = printer.stream.take(.healthy, at: .noon, validity: .seconds(60))
        let health = BridgeHealth(
            uptime: 12.5,
            residentMemory: 1_000,
            counters: [.probes: 3],
            printers: [.healthy: 1],
            time: .noon
        )
        return StatusPage.State(health: health, isConnected: isConnected, printers: [printer, .sample("new", [:])])
    }

    @Test(
        "there is health, which fails without a broker, metrics, and a hint for whoever asks for something else",
        arguments: [
            ("/health", true, 200, #""broker":"connected""#), ("/health", false, 503, #""broker":"disconnected""#),
            ("/health?x=1", true, 200, #""uptime":12"#), ("/metrics", false, 200, "printer2mqtt_broker_connected 0"),
            ("/", true, 404, "/metrics"), ("/metrics/", true, 404, "/metrics"),
        ]
    )
    func pages(path: String, isConnected: Bool, status: Int, text: String) async {
        let page = await StatusPage.page(path) { state(isConnected: isConnected) }
        #expect(page.status == status)
        #expect(page.body.contains(text), "\(page.body)")
    }

    @Test("metrics are as they were judged right, and hold no access code")
    func metrics() async throws {
        let page = await StatusPage.page("/metrics") { state() }
        try Golden.expect(page.body, "metrics.txt")
        #expect(!page.body.contains("12345678"))
    }

    @Test("a server answers over a real connection, and shuts the door on what is no GET")
    func server() async throws {
        let server = try await StatusServer(host: "127.0.0.1", port: 0) { path in
            StatusPage(status: 200, contentType: "text/plain", body: "you asked for \(path)")
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a?b"))
        let answer = try await HTTPCall(.GET, url).run()
        #expect(answer == HTTPCall.Answer(status: 200, body: Array("you asked for /a?b".utf8)))
        #expect(try await HTTPCall(.PUT, url).run().status == 405)
        await server.stop()
        await #expect(throws: (any Error).self) { try await HTTPCall(.GET, url).run() }
    }
}
