internal import COpenSSL

/// A certificate of an authority, to be kept and compared with its issuer.
package struct Certificate: Sendable, Hashable {
    /// What it says.
    package let report: CertificateReport
    /// The certificate as PEM text.
    package let pem: String

    /// Every certificate in a PEM text; damaged ones are left out, and so is everything else.
    package static func all(in text: String) -> [Certificate] {
        let found = try? PEM.certificates(text, skipsDamaged: true)
        return found?.compactMap { try? Certificate($0) } ?? []
    }

    private init(_ certificate: PEM.Certificate) throws(OpenSSLError) {
        report = try CertificateReport(x509: certificate.pointer)
        pem = try PEM.text { PEM_write_bio_X509($0, certificate.pointer) }
    }

    /// Whether the holder of an authority's key has signed it.
    package func isSigned(by authority: Certificate) -> Bool {
        defer { ERR_clear_error() }
        guard let own = try? PEM.certificates(pem).first, let other = try? PEM.certificates(authority.pem).first else {
            return false
        }
        return X509_verify(own.pointer, X509_get0_pubkey(other.pointer)) == 1
    }
}
