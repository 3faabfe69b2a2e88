package import MQTT

/// Why a printer's MQTT does not answer.
package enum ReportProblem: String, Error, Sendable, Hashable, CaseIterable {
    /// Nothing answers at the address, the port is closed, or the name is not known.
    case unreachable
    /// TLS failed for another reason than the certificate.
    case tlsFailed = "tls_failed"
    /// Nothing proves that the certificate is the printer's; the access code was not sent.
    case serverUnproven = "server_unproven"
    /// The certificate is another printer's; the access code was not sent.
    case otherPrinter = "other_printer"
    case codeRefused = "code_refused"
    /// The printer closed the connection before it accepted it, as it does when it has no place for another client.
    case closed
    case lost
    /// The printer accepted the connection, but sends no report.
    case silent
    /// The printer is another maker's, which has no such report.
    case unsupported

    package init(_ reason: MQTTDisconnectReason, serial: String) {
        switch reason.code {
        case .refused:
            let isCode = reason.reason == .badUserNameOrPassword || reason.reason == .notAuthorized
            self = isCode ? .codeRefused : .closed
        case .tlsFailed:
            switch reason.tlsFailure?.certificate {
            case let certificate?: self = certificate.isNamed(serial) ? .serverUnproven : .otherPrinter
            case nil: self = .tlsFailed
            }
        case .unreachable, .nameNotResolved: self = .unreachable
        case .timeout: self = reason.hadTLS ? .silent : .unreachable
        case .closedOnConnect: self = .closed
        default: self = .lost
        }
    }
}
