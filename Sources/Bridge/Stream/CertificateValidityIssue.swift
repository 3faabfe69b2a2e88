import Foundation
import OpenSSL

/// What is wrong with a certificate that is trusted nevertheless, because it is the one that was pinned.
public enum CertificateValidityIssue: String, Sendable, Hashable, CaseIterable {
    /// Its validity is over.
    case expired
    /// Its validity has not begun.
    case notYetValid

    /// Nil for a certificate that is valid at a time.
    init?(_ certificate: CertificateReport, at time: Date) {
        switch certificate.validity(at: time) {
        case .valid: return nil
        case .expired: self = .expired
        case .notYetValid: self = .notYetValid
        }
    }
}
