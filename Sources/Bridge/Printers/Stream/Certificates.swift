import Foundation
import OpenSSL
package import RTSP

package enum CertificateFingerprint {
    /// The 64 lower-case digits of a fingerprint, which other programs show with colons, spaces and capitals; nil for none.
    package static func normalized(_ text: String) -> String? {
        let digits = text.filter { $0 != ":" && $0 != " " }.lowercased()
        return digits.wholeMatch(of: /[0-9a-f]{64}/) == nil ? nil : digits
    }
}

/// Why a certificate is not valid at the moment; a pinned one stays trusted.
package enum CertificateValidityIssue: String, Sendable, Hashable, CaseIterable {
    case expired
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

/// What the certificate at an announced address says of it.
package enum AddressVerdict: Sendable, Hashable {
    /// It is the printer's: the pinned one, or one of the vendor's authority, with the serial number as its name.
    case proven
    /// Its name is the serial number, but no authority signed it.
    case claimed
    case wrong

    /// Judges a handshake: a server without the key can show a copy of a certificate, and not complete the handshake.
    package init(_ report: ProbeReport, serial: String) {
        guard let certificate = report.certificate, certificate.isNamed(serial) else {
            self = .wrong
            return
        }
        self = report.isServerProven ? .proven : .claimed
    }
}
