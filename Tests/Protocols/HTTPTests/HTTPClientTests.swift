import Foundation
import NIOHTTP1
import OpenSSL
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("Client of HTTP")
struct HTTPClientTests {
    private static let bodyLimit = 100_000
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func client(authority: URL? = nil) -> HTTPClient {
        HTTPClient(bodyLimit: Self.bodyLimit) {
            try .shared(trust: authority.map { .authority(file: $0.path, commonName: nil) } ?? .system)
        }
    }

    /// Why a request fails.
    private func failure(_ url: URL, within limit: Duration = .seconds(20)) async throws -> HTTPFailure? {
        await #expect(throws: HTTPFailure.self) { try await client().send(HTTPRequest(.GET, url), within: limit) }
    }

    private func url(_ server: ScriptedServer, _ path: String = "/", scheme: String = "http") throws -> URL {
        try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)\(path)"))
    }

    @Test(arguments: [
        (Self.ok, 200, "ok"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n", 200, "ok"),
        ("HTTP/1.0 200 OK\r\n\r\nok", 200, "ok"),
        ("HTTP/1.1 100 Continue\r\n\r\n" + Self.ok, 200, "ok"),
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
        ("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n", 302, ""),
    ])
    func `An answer is read to its end, however that is marked`(text: String, status: Int, body: String) async throws {
        let server = try await ScriptedServer { _ in .init(text, end: .close) }
        let answer = try await client().send(HTTPRequest(.GET, url(server)), within: .seconds(20))
        #expect(answer == HTTPResponse(status: status, body: Array(body.utf8)))
        #expect(server.requests.count == 1)
    }

    /// What a hostile or broken server does, and how it is called.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: HTTPFailure.Code
        let reply: ScriptedServer.Reply?

        init(_ description: String, _ code: HTTPFailure.Code, _ reply: ScriptedServer.Reply?) {
            (testDescription, self.code, self.reply) = (description, code, reply)
        }

        private static let head = "HTTP/1.1 200 OK\r\n"
        static let all = [
            Fault("silence", .timedOut, nil),
            Fault("no HTTP", .malformed, .init("SSH-2.0-OpenSSH\r\n")),
            Fault("end without an answer", .closed, .init("", end: .close)),
            Fault("end within the body", .malformed, .init(head + "Content-Length: 9\r\n\r\nok", end: .close)),
            Fault("a field without end", .malformed, .init(head + "A: " + String(repeating: "a", count: 200_000))),
            Fault("many fields", .malformed, .init(head + String(repeating: "A: a\r\n", count: 50_000))),
            Fault("a body without end", .tooLarge, .init(head + "\r\n" + String(repeating: "a", count: 100_001))),
            Fault("an endless body by small steps", .timedOut, .init(head + "Content-Length: 9\r\n\r\n")),
            Fault("an endless preface", .timedOut, .init("HTTP/1.1 100 Continue\r\n\r\n", end: .flood)),
        ]
    }

    @Test(arguments: Fault.all)
    func `A broken answer ends the request and the connection`(fault: Fault) async throws {
        let server = try await ScriptedServer { _ in fault.reply }
        // Only those that wait for the deadline need it.
        let limit = Duration.seconds(fault.code == .timedOut ? 3 : 60)
        let failure = try await failure(url(server, "/?secret=canary"), within: limit)
        #expect(failure?.code == fault.code && failure?.isSent == true)
        #expect(failure?.message.contains("canary") == false)
        try await eventually("the end of the connection") { server.open == 0 }
    }

    @Test func `The request has its target, its body, its length, and the user of the URL`() async throws {
        let server = try await ScriptedServer { _ in .init(Self.ok) }
        let url = try #require(URL(string: "http://me:p%40ss@127.0.0.1:\(server.port)/a%20b?c=%2B"))
        _ = try await client().send(
            HTTPRequest(.POST, url, headers: ["X-Own": "1"], body: Array("{}".utf8)),
            within: .seconds(20)
        )
        let request = try #require(server.requests.first?.text)
        #expect(request.hasPrefix("POST /a%20b?c=%2B HTTP/1.1\r\n"))
        for line in [
            "Host: 127.0.0.1:\(server.port)", "Content-Length: 2", "X-Own: 1",
            "Authorization: Basic " + Data("me:p@ss".utf8).base64EncodedString(),
        ] { #expect(request.contains("\r\n\(line)\r\n")) }
        #expect(request.hasSuffix("\r\n\r\n{}"))
    }

    @Test(arguments: ["ftp://host/", "host:80", "http:///path"])
    func `An address that names no web server is refused`(text: String) async throws {
        #expect(try await failure(#require(URL(string: text)))?.code == .badAddress)
    }

    @Test func `A port on which nothing listens is told apart, and nothing was sent`() async throws {
        let failure = try await failure(#require(URL(string: "http://127.0.0.1:\(freePort())/")))
        #expect(failure?.code == .refused && failure?.isSent == false)
    }

    @Test(arguments: [(false, 1), (true, 3)])
    func `A connection is used again where the server keeps it`(serverCloses: Bool, connections: Int) async throws {
        let server = try await ScriptedServer { _ in
            .init(serverCloses ? "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" : Self.ok)
        }
        let client = client()
        for _ in 0..<3 { _ = try await client.send(HTTPRequest(.GET, url(server)), within: .seconds(20)) }
        #expect(server.opened == connections)
        #expect(server.requests.count == 3)
    }

    @Test func `A kept connection that the server has closed is not used again`() async throws {
        let server = try await ScriptedServer { _ in .init(Self.ok, end: .close) }
        let client = client()
        for _ in 0..<3 {
            _ = try await client.send(HTTPRequest(.GET, url(server)), within: .seconds(20))
            try await eventually("the end of the connection") { server.open == 0 }
            try await eventually("the client has read it") { try socketCount(toPort: server.port) == 0 }
        }
        #expect(server.opened == 3)
    }

    @Test func `Requests at the same time have connections of their own`() async throws {
        let server = try await ScriptedServer { _ in .init(Self.ok) }
        let client = client()
        let url = try url(server)
        try await concurrently(0..<20) { _ in
            _ = try await client.send(HTTPRequest(.GET, url), within: .seconds(20))
        }
        #expect(server.requests.count == 20)
    }

    @Test func `A cancelled request closes its connection`() async throws {
        let server = try await ScriptedServer { _ in nil }
        let url = try url(server)
        let task = Task { try await client().send(HTTPRequest(.GET, url), within: .seconds(60)) }
        try await eventually("the request") { !server.requests.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await eventually("the end of the connection") { server.open == 0 }
    }

    @Test func `A stream has neither a limit of size nor the deadline of its beginning`() async throws {
        let part = String(repeating: "a", count: 1_000)
        let server = try await ScriptedServer { _ in
            .init("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n" + part + "\r\n")
        }
        let received = Mutex(0)
        let url = try url(server)
        let task = Task {
            try await client().send(HTTPRequest(.GET, url), within: .seconds(5)) { piece in
                received.withLock { $0 += piece.count }
            }
        }
        try await eventually("the first piece") { received.withLock { $0 } == 1_000 }
        try await Task.sleep(for: .milliseconds(5_500))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `A stream that begins late ends at its deadline; an error status is a normal answer`() async throws {
        let silent = try await ScriptedServer { _ in nil }
        let failure = await #expect(throws: HTTPFailure.self) {
            try await client().send(HTTPRequest(.GET, url(silent)), within: .milliseconds(300)) { _ in }
        }
        #expect(failure?.code == .timedOut)
        let refusing = try await ScriptedServer { _ in
            .init("HTTP/1.1 503 No\r\nContent-Length: 3\r\n\r\nwhy")
        }
        let answer = try await client().send(HTTPRequest(.GET, url(refusing)), within: .seconds(20)) { _ in }
        #expect(answer == HTTPResponse(status: 503, body: Array("why".utf8)))
    }

    @Test func `What a stream's receiver throws ends the request`() async throws {
        let server = try await ScriptedServer { _ in .init("HTTP/1.1 200 OK\r\n\r\nwrong") }
        await #expect(throws: TestFailure.self) {
            try await client().send(HTTPRequest(.GET, url(server)), within: .seconds(20)) { _ in
                throw TestFailure("wrong")
            }
        }
        try await eventually("the end of the connection") { server.open == 0 }
    }

    @Test func `A secure request is sent to a server that is proven, and to no other`() async throws {
        let certificates = try await TestCertificates(.loopback)
        let server = try await ScriptedServer(tls: certificates.serverContext()) { _ in .init(Self.ok) }
        let request = HTTPRequest(.GET, try url(server, scheme: "https"))
        #expect(try await client(authority: certificates.authority).send(request, within: .seconds(20)).status == 200)
        let failure = await #expect(throws: HTTPFailure.self) {
            try await client(authority: certificates.otherAuthority).send(request, within: .seconds(20))
        }
        #expect(failure?.code == .insecure)
        #expect(failure?.tls?.detail == .unknownIssuer)
        #expect(failure?.isSent == false)
        #expect(server.requests.count == 1)
    }

    @Test func `A handshake that does not end in time has sent nothing`() async throws {
        let server = try await ScriptedServer { _ in nil }
        let failure = try await failure(url(server, scheme: "https"), within: .milliseconds(500))
        #expect(failure?.code == .timedOut && failure?.isSent == false)
        try await eventually("the end of the connection") { server.opened == 1 && server.open == 0 }
    }
}
