public import OpenSSL

/// Where a broker is and how to reach it.
public enum MQTTEndpoint: Sendable, CustomStringConvertible {
    /// Plain TCP; the usual port is 1883.
    case tcp(host: String, port: Int)
    /// TLS; the usual port is 8883.
    ///
    /// The context must have been made for the same host (``tls(host:port:trust:identity:)`` does): it compares the
    /// certificate's names with it and sends it as the server's name.
    case tls(host: String, port: Int, context: TLSContext)
    /// A Unix socket on this machine; a path of at most 107 bytes.
    case unixSocket(path: String)

    /// TLS with a context of its own.
    ///
    /// - Parameters:
    ///   - host: The broker's name or address.
    ///   - port: The broker's port, usually 8883.
    ///   - trust: What makes the broker's certificate acceptable.
    ///   - identity: A certificate of our own, for brokers that ask for one.
    /// - Returns: The endpoint.
    /// - Throws: ``TLSFailure`` with `.configuration` when a file cannot be read or used.
    public static func tls(
        host: String,
        port: Int,
        trust: TrustPolicy,
        identity: TLSIdentity? = nil
    ) throws(TLSFailure) -> MQTTEndpoint {
        .tls(host: host, port: port, context: try .client(trust: trust, identity: identity, host: host))
    }

    /// The address for a person.
    public var description: String {
        switch self {
        case .tcp(let host, let port): "mqtt://\(Self.bracketed(host)):\(port)"
        case .tls(let host, let port, _): "mqtts://\(Self.bracketed(host)):\(port)"
        case .unixSocket(let path): "unix:\(path)"
        }
    }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// The context of a TLS endpoint.
    var context: TLSContext? {
        guard case .tls(_, _, let context) = self else { return nil }
        return context
    }
}
