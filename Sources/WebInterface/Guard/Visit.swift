import Hummingbird

/// What decides whether a request is answered.
struct Visit: Sendable, Hashable {
    var method: HTTPRequest.Method
    var path: String
    var peer: Peer?
    /// The `Host` header, or HTTP/2's `:authority`.
    var host: String?
    /// The site of the page that sent the request.
    var origin: String?
    /// How that site relates to this one, as the browser says (Fetch Metadata).
    var site: String?
    /// The user and password of HTTP Basic, decoded.
    var basicPassword: String?
    /// What the page sent to prove that it sent the request.
    var changeToken: String?
    /// The session of the cookie.
    var session: Sessions.Session?

    /// Whether it is for a monitoring program.
    var isStatus: Bool { ["/metrics", "/health"].contains(path) }
    /// Whether it is for the script of the page.
    var isAPI: Bool { path.hasPrefix("/api/") }
    /// Whether it may change something.
    var isChange: Bool { method != .get && method != .head }
}
