import NIOCore
import OpenSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How a connection ended without our doing.
enum ConnectionEnd: Sendable, Hashable {
    /// The server closed it in order.
    case closed
    /// The server, or something on the way, reset it.
    case reset

    /// What the server did, for people.
    var verb: String { self == .reset ? "reset" : "closed" }
}

/// Why no connection came about.
enum ConnectFailure: Sendable, Hashable {
    case refused
    case timedOut
    /// The connection stood and was reset before we knew.
    case reset
    /// The system said so at once, with its words for it.
    case unreachable(String)

    /// Everything but a refusal counts as unreachable: no route, a firewall's veto, no descriptor left.
    init(_ error: any Error) {
        guard let error = error as? IOError else {
            self = .unreachable("\(error)")
            return
        }
        switch error.errnoCode {
        case ECONNREFUSED: self = .refused
        case ECONNRESET: self = .reset
        case ETIMEDOUT: self = .timedOut
        default: self = .unreachable(String(cString: strerror(error.errnoCode)))
        }
    }
}

extension ProbeReason {
    /// The reason when no address could be connected to: one refusal says more than any number of timeouts.
    init(_ failures: [ConnectFailure]) {
        self = failures.contains(.refused) ? .tcpRefused : .tcpTimeout
    }

    /// The reason when TLS fails; `sawBytes` says whether the server had sent anything.
    ///
    /// One that hangs up without a byte does not object to our TLS: it does not want us at all.
    init(_ failure: TLSFailure, sawBytes: Bool) {
        self =
            switch failure.code {
            case .untrusted: .tlsUntrusted
            case .certificateChanged: .certificateChanged
            case .closed where !sawBytes: .closedEarly
            case .closed, .handshake, .protocol, .configuration: .tlsFailed
            }
    }

    /// The reason behind an RTSP status (RFC 2326, section 7.1.1); nil for success.
    init?(status: Int) {
        switch status {
        case 200..<300: return nil
        case 300..<400: self = .redirected
        case 401, 403: self = .unauthorized
        case 404: self = .notFound
        case 453, 503: self = .busy
        default: self = .rtspInvalid
        }
    }
}
