import Foundation
import NIOCore
import OpenSSL
import Platform

/// Why no connection came about.
enum ConnectFailure: Sendable, Hashable {
    case refused
    case timedOut
    /// The server reset the connection as soon as it was made.
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
        default: self = .unreachable(SystemFailure(error.errnoCode).description)
        }
    }
}

extension ProbeFault {
    /// What it means that no address could be connected to: one refusal says more than any number of timeouts.
    init(_ failures: [ConnectFailure], port: Int) {
        if failures.contains(.refused) {
            self.init(.tcpRefused, "port \(port) is closed")
        } else {
            let why = failures.lazy.compactMap { if case .unreachable(let why) = $0 { why } else { nil } }.first
            let message = why.map { "the host cannot be reached: \($0)" }
            self.init(.tcpTimeout, message ?? "no connection in time: the host is off, or at another address")
        }
    }

    /// What it means that TLS failed; `sawBytes` says whether the server had sent anything.
    ///
    /// A server that closes without a byte refuses the connection, not TLS. `.configuration` means that the file of
    /// authorities cannot be read.
    init(_ failure: TLSFailure, sawBytes: Bool) {
        let reason: ProbeReason =
            switch failure.code {
            case .untrusted, .otherName, .configuration: .tlsUntrusted
            case .certificateChanged: .certificateChanged
            case .closed where !sawBytes: .closedEarly
            case .closed, .handshake, .protocol: .tlsFailed
            }
        let cause: ProbeCause? =
            switch (failure.code, failure.detail) {
            case (.otherName, _): .otherName
            case (.configuration, _): .authorityUnreadable
            case (_, .expired): .certificateExpired
            case (_, .notYetValid): .certificateNotYetValid
            case (_, .unknownIssuer): .issuerUnknown
            case (_, .forged): .forgedCertificate
            case (_, .oldVersion): .oldTLS
            case (_, .refused): .clientCertificateWanted
            case (_, .otherHost), (_, .notTLS), (_, nil): nil
            }
        self.init(reason, failure.message, cause)
    }
}
