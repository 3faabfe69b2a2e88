/// The address of a broker, as the configuration gives it.
enum BrokerURL: Sendable, Hashable, CustomStringConvertible {
    case tcp(host: String, port: Int)
    case tls(host: String, port: Int)
    case unix(path: String)

    /// Reads `mqtt://host[:port]`, `mqtts://host[:port]` or `unix:/path`; nil when it is none of these.
    init?(_ text: String) {
        if text.hasPrefix("unix:/") {
            self = .unix(path: String(text.dropFirst("unix:".count)))
            return
        }
        let secure = text.hasPrefix("mqtts://")
        guard secure || text.hasPrefix("mqtt://") else { return nil }
        var rest = text.dropFirst(secure ? 8 : 7)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let host: Substring
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest[host.endIndex...]
        }
        let port = rest.isEmpty ? (secure ? 8_883 : 1_883) : rest.hasPrefix(":") ? Int(rest.dropFirst()) : nil
        guard let port, (1...65_535).contains(port), !host.isEmpty, !host.contains(where: { "/@?# ".contains($0) }) else {
            return nil
        }
        self = secure ? .tls(host: String(host), port: port) : .tcp(host: String(host), port: port)
    }

    /// Why `text` is no broker's address; nil when it is one, or empty.
    static func fault(in text: String) -> String? {
        if text.isEmpty || BrokerURL(text) != nil { return nil }
        if text.contains("@") { return "must not hold a user: use mqtt.username and mqtt.password" }
        return "must be mqtt://host[:port], mqtts://host[:port] or unix:/path"
    }

    /// Whether nobody in between can read along.
    var isPrivate: Bool {
        switch self {
        case .tls, .unix: true
        case .tcp(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
        }
    }

    var description: String {
        switch self {
        case .tcp(let host, let port): "mqtt://\(Self.bracketed(host)):\(port)"
        case .tls(let host, let port): "mqtts://\(Self.bracketed(host)):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
