import Bridge
import Secrets
import TestSupport
import Testing

@testable import WebInterface

@Suite("Signing in", .endsAll, .timeLimit(.minutes(5)))
struct SignInTests {
    @Test func `The password opens a session whose cookie no script can read, until somebody signs out`() async throws {
        let page = try await RunningPage { $0.password = "correct horse" }
        var browser = try await page.browser()
        #expect(try await browser.get("/").status == 200)
        #expect(try await browser.get("/api/bridge").status == 401)
        #expect(try await browser.post("/api/test", "{}").status == 401)
        let wrong = try await browser.post("/api/login", #"{"password": "wrong"}"#)
        #expect(wrong.status == 401 && wrong.body.contains(#""path":"password""#))
        let before = browser.cookie
        let right = try await browser.signIn()
        let cookie = try #require(right.header("Set-Cookie"))
        #expect(right.status == 200 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        #expect(browser.cookie != before, "a session is another one after signing in")
        #expect(try await browser.get("/api/bridge").status == 200)
        #expect(try await browser.post("/api/logout", "{}").status == 200)
        #expect(try await browser.get("/api/bridge").status == 401)
        await page.stop()
        #expect(!page.log.text.contains("correct horse"))
    }

    @Test func `After too many wrong passwords even the right one is refused unread, but not on this machine`()
        async throws
    {
        let (_, browser) = try await RunningPage.visited { $0.password = "correct horse" }
        let proxied = ["X-Forwarded-For": "192.0.2.1"]
        for _ in 0..<PasswordAttempts.limit {
            #expect(try await browser.post("/api/login", #"{"password": "wrong"}"#, headers: proxied).status == 401)
        }
        for body in [#"{"password": "correct horse"}"#, "no JSON", String(repeating: "a", count: 3_000)] {
            let answer = try await browser.post("/api/login", body, headers: proxied)
            #expect(answer.status == 429 && answer.body.contains(/wait [0-9]+ seconds/))
        }
        for _ in 0..<2 * PasswordAttempts.limit {
            #expect(try await browser.post("/api/login", #"{"password": "wrong"}"#).status == 401)
        }
        #expect(try await browser.post("/api/login", #"{"password": "correct horse"}"#).status == 200)
    }

    @Test func `A request to sign in has room for the longest password, and not for more`() async throws {
        let password = String(repeating: "\u{1F511}", count: 256)
        let (_, browser) = try await RunningPage.visited { $0.password = Secret(password) }
        #expect(try await browser.post("/api/login", #"{"password": "\#(password)\#(password)"}"#).status == 413)
        #expect(try await browser.post("/api/login", #"{"password": "\#(password)"}"#).status == 200)
    }

    @Test func `Who signs out is told nothing more, also where a page is still open`() async throws {
        let page = try await RunningPage { $0.password = "correct horse" }
        var browser = try await page.browser()
        try await browser.signIn()
        let signedIn = browser
        let request = "GET /api/events HTTP/1.1\r\nHost: \(browser.host)\r\nCookie: \(browser.cookie ?? "")\r\n\r\n"
        // Ends with the session; otherwise the test runs into its time limit.
        _ = try await browser.exchange(request) { text in
            if text.contains("event: bridge") { Task { try await signedIn.post("/api/logout", "{}") } }
            return false
        }
    }

    @Test func `Two bridges at one address, behind a proxy, do not overwrite each other's cookie`() async throws {
        func name() async throws -> Substring? {
            let browser = Browser(port: try await RunningPage().port)
            return try await browser.get("/api/session", headers: ["Host": "127.0.0.1"]).header("Set-Cookie")?
                .prefix { $0 != "=" }
        }
        let (one, other) = (try await name(), try await name())
        #expect(one?.hasSuffix("_80") == true && one != other)
    }

    @Test func `A change without token, from another origin or under another host name is refused`() async throws {
        let page = try await RunningPage()
        await page.add("x1")
        let browser = try await page.browser()
        let remove = #"{"printer": "x1"}"#
        for headers in [
            ["X-Change-Token": ""], ["X-Change-Token": "0"], ["Origin": ""], ["Origin": "http://evil.example"],
        ] { #expect(try await browser.post("/api/request/printer/remove", remove, headers: headers).status == 403) }
        var rebound = browser
        rebound.host = "evil.example:\(page.port)"
        #expect(try await rebound.post("/api/request/printer/remove", remove).status == 421)
        #expect(page.registry["x1"] != nil)
        #expect(try await browser.post("/api/request/printer/remove", remove).status == 200)
        #expect(page.registry["x1"] == nil)
    }

    @Test func `A client that is too slow is disconnected`() async throws {
        let page = try await RunningPage()
        let start = ContinuousClock.now
        let answer = try await Browser(port: page.port).exchange("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        #expect(answer.isEmpty && ContinuousClock.now - start < .seconds(20))
    }
}
