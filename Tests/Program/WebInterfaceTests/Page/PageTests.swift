import Foundation
import Relay
import TestSupport
import Testing

@testable import WebInterface

@Suite("The page", .endsAll, .timeLimit(.minutes(5)))
struct PageTests {
    @Test func `Everything that a browser loads is under 64 KiB, and comes from here`() throws {
        let total = PageFile.all.reduce(0) { $0 + $1.content.count }
        #expect(total < 65_536)
        for file in PageFile.all where !file.name.hasSuffix(".svg") {
            // The icon's namespace is a name, and nothing is loaded from there.
            let text = String(decoding: file.content, as: UTF8.self)
                .replacing("http://www.w3.org/2000/svg", with: "")
            for foreign in ["http://", "https://", "innerHTML"] { #expect(!text.contains(foreign), "\(file.name)") }
        }
        let html = try #require(PageFile.all.first.map { String(decoding: $0.content, as: UTF8.self) })
        #expect(!html.contains("style=") && !html.contains("onclick"))
        #expect(html.components(separatedBy: "<style>").count == 2, "one style")
        #expect(!html.contains("stylesheet") && !html.contains("<img"), "no file to wait for")
        #expect(html.components(separatedBy: "<script").count == 2, "one script, from a file")
    }

    @Test func `Its first tab is told why the broker is not connected, and what to do`() async throws {
        let page = try await RunningPage()
        let browser = Browser(port: page.port)
        try await eventually("the attempt has failed") {
            let body = try await browser.get("/api/bridge").body
            return body.contains("The broker cannot be reached") && body.contains("Check the address and the port")
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1", [], nil, "127.0.0.1"), ("localhost", [], nil, "localhost"), ("0.0.0.0", [], nil, "0.0.0.0"),
            ("::", ["a", "b"], nil, "[::]"), ("192.0.2.5", [], "http://192.0.2.5:9464/", "192.0.2.5"),
            ("2001:db8::5", [], "http://[2001:db8::5]:9464/", "[2001:db8::5]"),
            ("0.0.0.0", ["nas.local"], "http://nas.local:9464/", "nas.local"),
        ] as [(String, Set<String>, String?, String)]
    )
    func `Its address is known where other machines can use it`(
        host: String,
        names: Set<String>,
        url: String?,
        shown: String
    ) {
        var options = WebOptions(host: host, port: 9_464)
        options.hostNames = names
        #expect(options.url == url)
        #expect(options.shownURL(port: 80) == "http://\(shown):80/")
        options.trustsIngress = true
        #expect(options.url == nil, "Home Assistant shows it in its own page")
    }

    @Test func `Every imported script is served, with a policy that allows only the page's own style`() async throws {
        let page = try await RunningPage()
        let browser = Browser(port: page.port)
        for file in PageFile.all {
            let answer = try await browser.get("/" + file.name)
            #expect(answer.status == 200 && answer.body == String(decoding: file.content, as: UTF8.self))
            #expect(answer.header("Content-Type") == file.type)
            #expect(answer.header("Cache-Control") == "no-store")
            let policy = try #require(answer.header("Content-Security-Policy"))
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            #expect(policy.contains("style-src 'sha256-") && policy.contains("script-src 'self';"))
            for part in answer.body.split(separator: /(from |import\()'\.\//).dropFirst() {
                let name = part.prefix { $0 != "'" }
                #expect(PageFile.all.contains { $0.name == name }, "\(name)")
            }
        }
        #expect(try await browser.get("/../etc/passwd").status == 404)
    }

    @Test func `The access code is in no page, answer, event, report or log`() async throws {
        let code = "canary42"
        let (page, browser) = try await RunningPage.visited()
        var said = ""
        let settings = #""printer_ip": "127.0.0.1", "access_code": "\#(code)", "stream_port": 9"#
        let add = #"{"printer": "x1", "settings": {\#(settings), "name": "Shop"}}"#
        said += try await browser.post("/api/request/printer/add", add).text
        said += try await browser.post("/api/test", #"{"settings": {\#(settings)}}"#).text
        let invalid = #"{"printer": "x1", "settings": {"access_code": "\#(code)\u0007"}}"#
        said += try await browser.post("/api/test", invalid).text
        said += try await browser.post("/api/printers/x1", #"{"access_code": ["\#(code)"]}"#).text
        for path in ["", "api/bridge", "api/schema", "api/printers/x1", "api/report", "metrics", "health"] {
            let answer = try await browser.get("/" + path)
            #expect(answer.status == 200 || path == "health", "\(path)")
            said += answer.text
        }
        let request = "GET /api/events HTTP/1.1\r\nHost: \(browser.host)\r\n\r\n"
        said += try await browser.exchange(request) { $0.contains("tcp_refused") }
        await page.stop()
        #expect(said.contains(#""access_code":"********""#) && said.contains("tcp_refused"))
        #expect(!said.contains(code) && !page.log.text.contains(code))
    }

    @Test func `A busy port is a warning while the bridge works`() async throws {
        let first = try await RunningPage()
        var options = WebOptions(host: "127.0.0.1", port: first.port)
        let failure = await #expect(throws: PortFailure.self) {
            try await PortFailure.check(host: options.host, port: options.port, section: "http")
        }
        let reason = "Cannot listen on 127.0.0.1:\(first.port) (http.host, http.port): Address already in use"
        #expect(failure?.description == reason)
        options.port = 0
        try await PortFailure.check(host: options.host, port: options.port, section: "http")
        let second = Task { try await first.serveAgain() }
        try await eventually("a line of the log") { first.log.text.contains("The page is not served") }
        second.cancel()
        _ = await second.result
        let document = try await Browser(port: first.port).get("/api/bridge").text
        #expect(document.contains("page_not_served") && document.contains("or set http.port to a free port"))
    }
}
