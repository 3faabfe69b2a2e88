import Testing

@testable import CameraProtocols

@Suite("Servers whose nonces are good for one request")
struct NonceTests {
    /// What a server does with its nonces, and the requests that it gets.
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        /// The methods that need a proof.
        let guarded: String
        /// Whether it tells the next nonce beforehand.
        var announces = false
        let requests: String
    }

    static let rows: [Row] = [
        Row(
            description: "another nonce for each request",
            guarded: "DESCRIBE SETUP PLAY PAUSE TEARDOWN",
            requests: "OPTIONS DESCRIBE DESCRIBE SETUP SETUP PLAY PLAY PAUSE TEARDOWN"
        ),
        Row(
            description: "each is told with the answer before",
            guarded: "DESCRIBE SETUP PLAY PAUSE TEARDOWN",
            announces: true,
            requests: "OPTIONS DESCRIBE DESCRIBE SETUP PLAY PAUSE TEARDOWN"
        ),
        Row(
            description: "PAUSE may be said by anybody",
            guarded: "DESCRIBE SETUP PLAY TEARDOWN",
            requests: "OPTIONS DESCRIBE DESCRIBE SETUP SETUP PLAY PLAY PAUSE TEARDOWN TEARDOWN"
        ),
        Row(
            description: "only the end of the session is guarded",
            guarded: "TEARDOWN",
            requests: "OPTIONS DESCRIBE SETUP PLAY PAUSE TEARDOWN TEARDOWN"
        ),
        Row(
            description: "everything is guarded",
            guarded: "OPTIONS DESCRIBE SETUP PLAY PAUSE TEARDOWN",
            requests: "OPTIONS OPTIONS DESCRIBE DESCRIBE SETUP SETUP PLAY PLAY PAUSE TEARDOWN"
        ),
    ]

    @Test(arguments: rows)
    func `The session is given back`(_ row: Row) throws {
        let (report, requests) = try row.server.probe()
        #expect(report.isHealthy, "\(row): \(report.outcome)")
        #expect(requests.map { String($0.prefix { $0 != " " }) }.joined(separator: " ") == row.requests)
        let last = try #require(requests.last)
        #expect(last.contains("nonce=\"n\(requests.count - 1)\""), "\(row) does not accept \(last)")
    }

    @Test func `One that is never satisfied is left all the same`() throws {
        let refuse: WireServer.Change = { method, request, answer in
            guard method == "TEARDOWN" else { return answer }
            let sequence = Row.sequence(of: request)
            return Row.refusal(sequence, ", stale=true")
        }
        let (report, requests) = try WireServer(change: refuse).probe()
        #expect(report.isHealthy && requests.count <= 8)
    }
}

extension NonceTests.Row {
    /// Accepts the nonce that the request before brought, which is named after that request's number.
    var server: WireServer {
        let (guarded, announces) = (Set(guarded.split(separator: " ").map(String.init)), announces)
        return WireServer { method, request, answer in
            let sequence = Self.sequence(of: request)
            guard guarded.contains(method) else { return answer }
            guard request.contains("nonce=\"n\(sequence - 1)\"") else { return Self.refusal(sequence) }
            return announces ? answer.adding("Authentication-Info: nextnonce=\"n\(sequence)\"") : answer
        }
    }

    static func sequence(of request: String) -> Int {
        request.split(separator: "\r\n").first { $0.hasPrefix("CSeq: ") }.flatMap { Int($0.dropFirst(6)) } ?? 0
    }

    static func refusal(_ sequence: Int, _ more: String = "") -> String {
        "RTSP/1.0 401 Unauthorized\r\nCSeq: \(sequence)\r\n"
            + "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\(sequence)\"\(more)\r\n\r\n"
    }
}
