import Platform
package import Secrets

/// The address of a stream: `rtsps://user:password@host:port/path`.
///
/// Prints itself with the password masked; ``revealed()`` gives the whole address. The default ports are 554
/// for `rtsp` and 322 for `rtsps` (RFC 7826, section 4.2), 80 for `http` and 443 for `https`.
public struct StreamURL: Sendable, Hashable {
    /// The protocol, and whether the connection is encrypted.
    package enum Scheme: String, CaseIterable, Sendable {
        case rtsp, rtsps, http, https
        /// JPEG pictures over TLS, what small printers (P1, A1) have in the place of RTSPS; no text has this scheme.
        case jpeg

        package var defaultPort: Int {
            switch self {
            case .rtsp: 554
            case .rtsps: 322
            case .http: 80
            case .https: 443
            case .jpeg: 6000
            }
        }

        /// Whether TLS begins with the first byte.
        package var isEncrypted: Bool { self != .rtsp && self != .http }

        package var streamProtocol: StreamProtocol {
            switch self {
            case .rtsp, .rtsps: .rtsp
            case .http, .https: .http
            case .jpeg: .jpeg
            }
        }
    }

    package let scheme: Scheme
    /// A host name, an IPv4 address, or an IPv6 address without brackets.
    package let host: String
    package let port: Int
    /// The path with its query, percent-encoded, beginning with a slash.
    package let path: String
    package let user: String?
    package let password: Secret<String>?

    /// An address made of its parts; throws ``StreamURLError``, which names the part that is wrong.
    ///
    /// An IPv6 address may stand in brackets. The path gets the escapes that it lacks, and keeps those that it has.
    package init(
        scheme: Scheme = .rtsps,
        host: String,
        port: Int? = nil,
        path: String = "/",
        user: String? = nil,
        password: Secret<String>? = nil
    ) throws {
        self.scheme = scheme
        self.host = try Self.checkedHost(host)
        self.port = try Self.checkedPort(port ?? scheme.defaultPort)
        self.path = try Self.checkedPath(path)
        self.user = try user.map(Self.checkedUserInfo)
        self.password = try password.map { Secret(try Self.checkedUserInfo($0.reveal())) }
    }

    /// The most bytes of a user name, and of a password, that a camera which sends JPEG takes.
    static let longestOfJPEG = 32

    /// Where a camera sends JPEG pictures over TLS; throws ``StreamURLError``, which names the part that is wrong.
    ///
    /// User name and password have at most 32 bytes each.
    package static func jpeg(host: String, port: Int? = nil, user: String, password: Secret<String>) throws -> Self {
        guard max(user.utf8.count, password.reveal().utf8.count) <= longestOfJPEG else {
            throw StreamURLError(.userInfo, "user name and password have at most 32 bytes each here")
        }
        return try Self(scheme: .jpeg, host: host, port: port, user: user, password: password)
    }

    /// The address without user name and password: what may be shown; of a camera that sends JPEG, host and port.
    public var withoutUserInfo: String { scheme == .jpeg ? authority : origin + path }

    /// The whole address with user name and password in clear, percent-encoded.
    public func revealed() -> String { string(password: password.map { $0.reveal().percentEncoded() }) }

    /// What goes into an RTSP request.
    var requestAddress: String { "\(scheme.rawValue)://\(requestHost):\(port)\(path)" }

    /// The host without a zone, which means something on this machine only (RFC 6874, section 4).
    private var requestHost: String { IPLiteral.bracketed(String(host.prefix { $0 != "%" })) }

    /// The value of the header `Host` (RFC 9110, section 7.2).
    var hostHeader: String { port == scheme.defaultPort ? requestHost : "\(requestHost):\(port)" }

    /// Without path, user and password.
    var origin: String { "\(scheme.rawValue)://\(authority)" }

    private var authority: String {
        guard host.utf8.contains(ASCII.colon) else { return "\(host):\(port)" }
        // The zone's percent sign is an escape itself (RFC 6874).
        return "[\(host.split(separator: "%").joined(separator: "%25"))]:\(port)"
    }

    private func string(password: String?) -> String {
        guard user != nil || password != nil else { return withoutUserInfo }
        let userInfo = (user ?? "").percentEncoded() + (password.map { ":" + $0 } ?? "")
        return "\(scheme.rawValue)://\(userInfo)@\(authority)\(path)"
    }
}

extension StreamURL: CustomStringConvertible {
    /// The address with the password masked.
    public var description: String { string(password: password?.description) }
}
