import Foundation
import NIOCore
import NIOPosix
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import WebInterface

@Suite("Rude clients", .endsAll, .timeLimit(.minutes(5)))
struct RudeClientTests {
    @Test func `Idle, slow or repeating clients on all connections do not block the page or /health`() async throws {
        // Nobody is closed for being slow: without a place for each client, the test runs into its time limit.
        let page = try await RunningPage(readDeadline: .hours(1)) { $0.password = "correct horse" }
        let browser = Browser(port: page.port)
        let icon = "GET /icon.svg HTTP/1.1\r\nHost: \(browser.host)\r\n\r\n"
        var channels: [any Channel] = []
        // A server that lets clients wait may take a few more than its limit.
        for number in 0..<ConnectionLimits.connections * 2 {
            channels.append(try await page.client(["", "GET / HTTP/1.1\r\nX", icon][number % 3]))
        }
        for _ in 0..<3 {
            #expect(try await browser.get("/health?x=1").status == 503)
            #expect(try await browser.get("/").status == 200)
        }
        for channel in channels { try? await channel.close() }
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.1\r\nHost: HERE\r\nHost: evil.example\r\n", "one Host"),
            ("GET / HTTP/1.1\r\nhost: HERE\r\nX: y\r\nHOST: HERE\r\n", "one Host"),
            ("GET /metrics\u{301} HTTP/1.1\r\nHost: HERE\r\n", nil),
            ("GET / HTTP/1.1\r\nHost: \u{301}HERE\r\n", "ASCII"),
            ("GET / HTTP/1.1\r\nHost: HERE\r\nCookie: a\(String(repeating: "\u{301}", count: 31))\r\n", "combining"),
        ] as [(String, String?)]
    )
    func `A request with two Host headers, or a head slow to compare, is refused before its use`(
        head: String,
        reason: String?
    ) async throws {
        let page = try await RunningPage()
        let browser = Browser(port: page.port)
        let request = head.replacing("HERE", with: browser.host) + "\r\n"
        let answer = Browser.Answer(text: try await browser.exchange(request + request))
        #expect(answer.status == 400 && reason.map(answer.body.contains) ?? true, "\(answer.text)")
        #expect(answer.text.components(separatedBy: "HTTP/1.1 ").count == 2, "nothing after it is answered")
    }

    @Test(arguments: ["HTTP/1.0", "HTTP/1.1\r\nConnection: TE, Close"])
    func `A connection that the client does not keep ends with the answer`(version: String) async throws {
        // A connection that is kept would outlast the test.
        let browser = Browser(port: try await RunningPage(readDeadline: .hours(1)).port)
        let request = "GET /icon.svg \(version)\r\nHost: \(browser.host)\r\n\r\n"
        let text = try await browser.exchange(request)
        #expect(text.hasPrefix("\(version.prefix(8)) 200 OK\r\n"), "\(text)")
    }

    @Test func `Many requests on one connection are one page, and the connection ends with it`() async throws {
        let page = try await RunningPage()
        let request = "GET /health HTTP/1.1\r\nHost: h\r\n\r\n"
        let answer = try await Browser(port: page.port).exchange(String(repeating: request, count: 100))
        #expect(answer.components(separatedBy: "HTTP/1.1 503").count == 2, "\(answer)")
    }

    @Test func `A thousand pipelined requests are refused before signing in and answered afterwards`() async throws {
        let page = try await RunningPage { $0.password = "correct horse" }
        let browser = Browser(port: page.port)
        func answers(_ headers: String) async throws -> [String] {
            let request = "GET /nosuch HTTP/1.1\r\nHost: \(browser.host)\r\n\(headers)\r\n\r\n"
            let text = try await browser.exchange(String(repeating: request, count: 1_000) + request) {
                $0.components(separatedBy: "HTTP/1.1 ").count > 1_000
            }
            return text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
        }
        let stranger = try await answers("Via: 1.1 proxy")
        // The refusal follows the answers to the requests before it.
        #expect(stranger.last == "429" && stranger.count { $0 == "429" } == 1)
        #expect(stranger.count > Int(RequestBudget.burst) && stranger.count < 400, "and what ten seconds add to it")
        // Another client of this machine.
        #expect(try await answers("X: y").filter { $0 == "401" }.count >= 1_000)
        #expect(try await browser.get("/health?x=1").status == 503)
    }

    @Test func `A few connection tests run at once; the next is refused, and /health is still answered`() async throws {
        let silent = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let (page, browser) = try await RunningPage.visited()
        let settings = #"{"camera_url": "rtsp://127.0.0.1:\#(silent.localAddress?.port ?? 0)/"}"#
        let body = #"{"settings": \#(settings)}"#
        let head = "POST /api/test HTTP/1.1\r\nHost: \(browser.host)\r\nOrigin: http://\(browser.host)\r\n"
        let session = "Cookie: \(browser.cookie ?? "")\r\nX-Change-Token: \(browser.token)\r\n"
        let request = head + session + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
        var tests: [any Channel] = []
        for _ in 0..<ConnectionLimits.connections * 3 {
            tests.append(try await page.client(request))
        }
        let refused = try await browser.post("/api/test", body)
        #expect(refused.status == 503 && refused.header("Retry-After") != nil, "\(refused.text)")
        for _ in 0..<3 { #expect(try await browser.get("/health").status == 503, "there is no broker") }
        for channel in tests { try? await channel.close() }
        try await silent.close()
    }

    @Test func `A client that does not read its answer does not hold up the end of the bridge`() async throws {
        let page = try await RunningPage()
        await page.add("x1")
        let large = Snapshot(jpeg: [UInt8](repeating: 0x5a, count: 16 << 20), takenAt: Date())
        page.snapshots.store(large, of: PublishedPicture(of: "x1"))
        let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 4_096)
            .connect(host: "127.0.0.1", port: page.port).get()
        let request = "GET /api/printers/x1/snapshot HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\r\n"
        try await client.writeAndFlush(ByteBuffer(string: request))
        // The answer has begun, and fills the buffers.
        try await Task.sleep(for: .seconds(1))
        let start = ContinuousClock.now
        await page.stop()
        #expect(ContinuousClock.now - start < .seconds(25))
        try? await client.close()
    }

    @Test func `Requests that take long do not hold up the end of the bridge`() async throws {
        let page = try await RunningPage {
            $0.examine = {
                try await Task.sleep(for: .seconds(120))
                return []
            }
        }
        let browser = try await page.browser()
        let test = #"{"settings": {"camera_url": "rtsp://127.0.0.1:9/"}}"#
        for _ in 0..<4 { _ = try await browser.post("/api/test", test) }
        // The fifth connection in a minute waits.
        let requests = [("doctor", "{}"), ("test", test)].map { path, body in
            Task { try? await browser.post("/api/\(path)", body) }
        }
        try await Task.sleep(for: .seconds(1))
        let start = ContinuousClock.now
        await page.stop()
        #expect(ContinuousClock.now - start < .seconds(20))
        for request in requests { _ = await request.value }
    }

    @Test func `A name with an accent, as Home Assistant sends it, is no reason to refuse`() async throws {
        let page = try await RunningPage()
        let headers = ["X-Remote-User-Display-Name": "Jérôme 佐藤"]
        #expect(try await Browser(port: page.port).get("/", headers: headers).status == 200)
    }
}
