import Hummingbird

/// What decides whether a request is answered.
struct Visit: Sendable, Hashable {
    var method: HTTPRequest.Method
    /// The path as the router reads it, to which `//api//bridge/` is `/api/bridge`.
    let path: String
    var peer: Peer?
    /// The `Host` header, or HTTP/2's `:authority`.
    var host: String?
    /// The site of the page that sent the request.
    var origin: String?
    /// How that site relates to this one, as the browser says (Fetch Metadata).
    var site: String?
    /// Whether a proxy passes the request on for somebody else, as its headers say.
    var isForwarded = false
    /// The client addresses that proxies report; the last proxy has added the last one.
    var forwardedFor: String?
    /// How the password of HTTP Basic was answered; nil if none was sent, or none is needed.
    var basic: SignIn?
    /// The token by which the page proves that the request is its own.
    var changeToken: String?
    var session: Sessions.Session?
    /// Whether it has the token of a viewer.
    var hasViewerToken = false

    init(method: HTTPRequest.Method, path: String, peer: Peer?, host: String?, session: Sessions.Session?) {
        self.method = method
        self.path = "/" + path.split(separator: "/").joined(separator: "/")
        self.peer = peer
        self.host = host
        self.session = session
    }

    /// What the browser calls this server; nil for what is no host.
    var hostHeader: HostHeader? { host.flatMap { HostHeader($0) } }
    var isLocal: Bool { peer?.isLoopback == true && !isForwarded }
    /// Whether it is for a monitoring program.
    var isStatus: Bool { ["/metrics", "/health"].contains(path) }
    /// Whether it is for a viewer of a camera.
    var isCamera: Bool { path.hasPrefix("/camera/") }
    /// Whether it is for a file of the page: those are the same for everybody.
    var isFile: Bool { PageFile.paths.contains(path) }
    /// Whether it may change something.
    var isChange: Bool { method != .get && method != .head }
}
