import Foundation
import TestSupport

/// Speaks HTTP over a real socket, byte for byte as the test says.
struct Browser: Sendable {
    let port: Int
    var host: String
    var cookie: String?
    var token = ""

    init(port: Int) {
        self.port = port
        host = "127.0.0.1:\(port)"
    }

    /// An answer as it came.
    struct Answer: Sendable {
        var text: String

        var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
        var body: String { text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? "" }
        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        }

        func header(_ name: String) -> String? {
            text.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    /// Begins a session as the page does.
    mutating func begin() async throws {
        let answer = try await get("/api/session")
        if let cookie = answer.header("Set-Cookie") { self.cookie = cookie.components(separatedBy: ";").first }
        token = answer.json["change_token"] as? String ?? ""
    }

    /// Signs in, and begins the session that this opens.
    @discardableResult
    mutating func signIn(_ password: String = "correct horse") async throws -> Answer {
        let answer = try await post("/api/login", #"{"password": "\#(password)"}"#)
        cookie = answer.header("Set-Cookie")?.components(separatedBy: ";").first
        try await begin()
        return answer
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("GET", path, headers, "")
    }

    func post(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> Answer {
        let own = ["Origin": "http://\(host)", "X-Change-Token": token, "Content-Length": "\(body.utf8.count)"]
        return try await send("POST", path, own.merging(headers) { $1 }, body)
    }

    private func send(_ method: String, _ path: String, _ more: [String: String], _ body: String) async throws -> Answer
    {
        var headers = ["Host": host, "Connection": "close"].merging(more) { $1 }
        if let cookie { headers["Cookie"] = headers["Cookie"] ?? cookie }
        let lines = headers.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
        return Answer(text: try await exchange("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body)"))
    }

    /// Sends a text, and returns everything that comes until the end, or until `isEnough`.
    func exchange(_ request: String, until isEnough: @Sendable (String) -> Bool = { _ in false }) async throws -> String
    {
        try await TestSupport.exchange(request, with: port, until: isEnough)
    }
}
