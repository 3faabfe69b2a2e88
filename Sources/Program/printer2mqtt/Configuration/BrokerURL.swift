import MQTT

/// The address of a broker, as the configuration gives it.
enum BrokerURL: Sendable, Hashable, CustomStringConvertible {
    case tcp(host: String, port: Int)
    case tls(host: String, port: Int)
    case unix(path: String)

    /// The longest path of a Unix socket, in bytes (unix(7)).
    private static let longestPath = 107

    /// Reads `mqtt://host[:port]`, `mqtts://host[:port]` or `unix:/path`; nil when it is none of these.
    init?(_ text: String) {
        if text.hasPrefix("unix:/") {
            let path = text.dropFirst("unix:".count)
            guard (2...Self.longestPath).contains(path.utf8.count), !path.utf8.contains(where: { $0 < 0x20 }) else {
                return nil
            }
            self = .unix(path: String(path))
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
        let isHost =
            !host.isEmpty && host.unicodeScalars.allSatisfy { $0.value > 0x20 && !"/@?#[]".unicodeScalars.contains($0) }
        guard isHost, let port = rest.isEmpty ? (secure ? 8_883 : 1_883) : Self.port(rest) else { return nil }
        self = secure ? .tls(host: String(host), port: port) : .tcp(host: String(host), port: port)
    }

    /// Why `text` is no broker's address; nil when it is one, or empty.
    static func fault(in text: String) -> String? {
        if text.isEmpty || BrokerURL(text) != nil { return nil }
        if text.contains("@") { return "must not hold a user: use mqtt.username and mqtt.password" }
        return "must be mqtt://host[:port], mqtts://host[:port] or unix:/path"
    }

    var isPrivate: Bool {
        if case .tcp(let host, let port) = self { MQTTEndpoint.tcp(host: host, port: port).isPrivate } else { true }
    }

    var description: String {
        switch self {
        case .tcp(let host, let port): "mqtt://\(MQTTEndpoint.bracketed(host)):\(port)"
        case .tls(let host, let port): "mqtts://\(MQTTEndpoint.bracketed(host)):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    private static func port(_ text: Substring) -> Int? {
        let digits = text.dropFirst()
        guard text.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits),
            port > 0
        else { return nil }
        return Int(port)
    }
}
