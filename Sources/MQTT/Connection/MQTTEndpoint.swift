/// Where a broker is and how to reach it.
public enum MQTTEndpoint: Sendable, CustomStringConvertible {
    /// Plain TCP; the usual port is 1883.
    case tcp(host: String, port: Int)
    /// A Unix socket on this machine; a path of at most 107 bytes.
    case unixSocket(path: String)

    /// The address for a person.
    public var description: String {
        switch self {
        case .tcp(let host, let port): "mqtt://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .unixSocket(let path): "unix:\(path)"
        }
    }
}
