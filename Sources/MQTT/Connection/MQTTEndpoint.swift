public import OpenSSL

/// Where a broker is and how to reach it.
public enum MQTTEndpoint: Sendable, CustomStringConvertible {
    /// Plain TCP; the usual port is 1883.
    case tcp(host: String, port: Int)
    /// TLS; the usual port is 8883.
    ///
    /// The certificate's names are compared with the host where the context's trust says so. The host is also the server
    /// name that is sent, unless the trust expects a common name that can be one.
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
    ///   - applicationProtocols: Names for ALPN (RFC 7301), such as `mqtt`, for brokers behind a shared port.
    /// - Returns: The endpoint.
    /// - Throws: ``TLSFailure`` with `.configuration` when a file cannot be read or used.
    public static func tls(
        host: String,
        port: Int,
        trust: TrustPolicy,
        identity: TLSIdentity? = nil,
        applicationProtocols: [String] = []
    ) throws(TLSFailure) -> MQTTEndpoint {
        let context = try TLSContext.client(
            trust: trust,
            identity: identity,
            applicationProtocols: applicationProtocols
        )
        return .tls(host: host, port: port, context: context)
    }

    /// TLS 1.2 with a key that client and broker share, and no certificates (RFC 4279, RFC 5489).
    ///
    /// - Parameters:
    ///   - host: The broker's name or address.
    ///   - port: The broker's port, usually 8883.
    ///   - presharedKey: The key and the name that the broker knows it by.
    /// - Returns: The endpoint.
    /// - Throws: ``TLSFailure`` with `.configuration` when the key cannot be used.
    public static func tls(
        host: String,
        port: Int,
        presharedKey: MQTTPresharedKey
    ) throws(TLSFailure) -> MQTTEndpoint {
        .tls(host: host, port: port, context: try .client(presharedKey: presharedKey))
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
}
