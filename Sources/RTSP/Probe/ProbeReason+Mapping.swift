import NIOCore
import OpenSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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
}

extension ProbeFault {
    /// What it means that TLS failed; `sawBytes` says whether the server had sent anything.
    ///
    /// One that hangs up without a byte does not object to our TLS: it does not want us at all. What cannot be set up here
    /// is what we trust: a file of authorities that cannot be read.
    init(_ failure: TLSFailure, sawBytes: Bool) {
        let (reason, cause): (ProbeReason, ProbeCause?) =
            switch failure.code {
            case .otherName: (.tlsUntrusted, .otherName)
            case .untrusted, .configuration: (.tlsUntrusted, nil)
            case .certificateChanged: (.certificateChanged, nil)
            case .closed where !sawBytes: (.closedEarly, nil)
            case .closed, .handshake, .protocol: (.tlsFailed, nil)
            }
        self.init(reason, failure.message, cause)
    }
}
