import Foundation
import NIOCore
import NIOPosix
import StoredSettings
import Testing

@testable import WebInterface

@Suite("Rude clients", .timeLimit(.minutes(1)))
struct RudeClientTests {
    @Test("As many clients as there are connections, idle, slow or asking again, keep nobody from the page or /health")
    func fullHouse() async throws {
        let page = try await RunningPage { $0.password = "correct horse" }
        // Otherwise the test runs into its time limit: the server closes slow clients after ten seconds, and then answers.
        while try await !isAnswered(page) {}
        await page.stop()
    }

    /// Whether requests are answered while nearly all rude clients are connected.
    private func isAnswered(_ page: RunningPage) async throws -> Bool {
        let browser = Browser(port: page.port)
        let icon = "GET /icon.svg HTTP/1.1\r\nHost: \(browser.host)\r\n\r\n"
        var channels: [any Channel] = []
        for number in 0..<ConnectionLimits.connections {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: page.port).get()
            let request = ["", "GET / HTTP/1.1\r\nX", icon][number % 3]
            if !request.isEmpty { try await channel.writeAndFlush(ByteBuffer(string: request)) }
            channels.append(channel)
        }
        for _ in 0..<3 {
            #expect(try await browser.get("/health").status == 503)
            #expect(try await browser.get("/").status == 200)
        }
        let isAnswered = channels.count(where: \.isActive) > ConnectionLimits.connections / 2
        for channel in channels { try? await channel.close() }
        return isAnswered
    }
}
