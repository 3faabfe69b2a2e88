import Foundation
public import OpenSSL
import Platform

// A program that imports MQTT can name the parts of an endpoint with TLS.
@_exported public import class OpenSSL.ExternalTLSClient
@_exported public import struct OpenSSL.TLSFailure
@_exported public import struct OpenSSL.TLSIdentity
@_exported public import enum OpenSSL.TrustPolicy
@_exported public import struct Secrets.Secret

/// Where a broker is and how to reach it.
public enum MQTTEndpoint: Sendable, CustomStringConvertible {
    /// Plain TCP; the usual port is 1883.
    case tcp(host: String, port: Int)
    /// TLS; the usual port is 8883. Made by ``tls(host:port:trust:identity:)``.
    case tls(ExternalTLSClient, port: Int)
    /// A Unix socket on this machine; a path of at most 107 bytes.
    case unixSocket(path: String)

    /// TLS 1.2 or later.
    ///
    /// The certificate has to name the host, unless `trust` says otherwise. Some brokers ask for an `identity`. Throws
    /// ``TLSFailure`` with `.configuration` if a file cannot be used.
    public static func tls(
        host: String,
        port: Int,
        trust: TrustPolicy,
        identity: TLSIdentity? = nil
    ) throws(TLSFailure) -> MQTTEndpoint {
        .tls(try ExternalTLSClient(host: host, trust: trust, identity: identity), port: port)
    }

    /// A copy for one client: with TLS, each client needs the result of its own handshakes.
    func forOneClient() -> MQTTEndpoint {
        guard case .tls(let client, let port) = self, let copy = try? client.copy() else { return self }
        return .tls(copy, port: port)
    }

    /// The address for a person.
    public var description: String {
        switch self {
        case .tcp(let host, let port): "mqtt://\(IPLiteral.bracketed(host)):\(port)"
        case .tls(let client, let port): "mqtts://\(IPLiteral.bracketed(client.host)):\(port)"
        case .unixSocket(let path): "unix:\(path)"
        }
    }

    /// Whether the connection is private: TLS, a Unix socket, or loopback.
    public var isPrivate: Bool {
        if case .tcp(let host, _) = self { IPLiteral.isLoopback(host) } else { true }
    }

    /// The host and port to connect to; nil for a Unix socket.
    var address: (host: String, port: Int)? {
        switch self {
        case .tcp(let host, let port): (host, port)
        case .tls(let client, let port): (client.host, port)
        case .unixSocket: nil
        }
    }
}
