internal import COpenSSL
package import Foundation

/// A new key and a certificate that it or an authority's key signed, for simulated printers and tests.
package struct SelfSignedCertificate: Sendable, CustomStringConvertible, CustomReflectable {
    package enum Form: Sendable {
        /// X.509 version 3 with nothing more.
        case plain
        /// X.509 version 1, which knows no extensions.
        case version1
        case authority
    }

    package let certificatePEM: String
    /// The private key, PKCS #8 without encryption.
    package let keyPEM: String
    /// The SHA-256 of the certificate, lower-case hexadecimal.
    package let fingerprint: String

    /// The fingerprint only, never the key.
    package var description: String { "SelfSignedCertificate(\(fingerprint))" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SelfSignedCertificate {
    /// A certificate kept as PEM text; throws if certificate or key cannot be read, or if they do not belong together.
    package init(certificatePEM: String, keyPEM: String) throws(OpenSSLError) {
        ERR_clear_error()
        let certificate = try OpenSSLError.check(try PEM.certificates(certificatePEM).first, "PEM_read_bio_X509")
        let key = try PEM.privateKey(keyPEM)
        try OpenSSLError.check(X509_check_private_key(certificate.pointer, key.pointer), "X509_check_private_key")
        self.init(
            certificatePEM: certificatePEM,
            keyPEM: keyPEM,
            fingerprint: try CertificateReport(x509: certificate.pointer).fingerprint
        )
    }

    /// Makes a certificate with a key of its own (NIST P-256), valid from an hour ago for ten years by default.
    ///
    /// The common name has at most 64 characters. A subjectAltName is such as `DNS:printer.test` or `IP:127.0.0.1`; printers
    /// have none. Without an `issuer` its own key signs it. Throws what OpenSSL does not accept.
    package static func make(
        commonName: String,
        alternativeNames: [String] = [],
        validity: ClosedRange<Date> = .now - 3600 ... .now + 10 * 365 * 86_400,
        form: Form = .plain,
        issuer: SelfSignedCertificate? = nil
    ) throws(OpenSSLError) -> Self {
        ERR_clear_error()
        let key = PEM.Key(try OpenSSLError.check(copenssl_new_key(), "EVP_EC_gen"))
        let certificate = PEM.Certificate(try OpenSSLError.check(X509_new(), "X509_new"))
        let x509 = certificate.pointer
        let serial = try SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1
        try OpenSSLError.check(X509_set_version(x509, form == .version1 ? 0 : 2), "X509_set_version")
        try OpenSSLError.check(ASN1_INTEGER_set_uint64(X509_get_serialNumber(x509), serial), "ASN1_INTEGER_set_uint64")
        let dates = [(X509_getm_notBefore(x509), validity.lowerBound), (X509_getm_notAfter(x509), validity.upperBound)]
        for (field, date) in dates {
            _ = try OpenSSLError.check(ASN1_TIME_set(field, time_t(date.timeIntervalSince1970)), "ASN1_TIME_set")
        }
        let name = X509_get_subject_name(x509)
        let common = Array(commonName.utf8)
        let added = X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, common, Int32(clamping: common.count), -1, 0)
        try OpenSSLError.check(added, "X509_NAME_add_entry_by_txt")
        let authority = try issuer.map { issuer throws(OpenSSLError) in
            (certificate: try PEM.certificates(issuer.certificatePEM)[0], key: try PEM.privateKey(issuer.keyPEM))
        }
        let issuerName = authority.map { X509_get_subject_name($0.certificate.pointer) } ?? name
        try OpenSSLError.check(X509_set_issuer_name(x509, issuerName), "X509_set_issuer_name")
        try OpenSSLError.check(X509_set_pubkey(x509, key.pointer), "X509_set_pubkey")
        if !alternativeNames.isEmpty {
            try add(NID_subject_alt_name, alternativeNames.joined(separator: ","), to: x509)
        }
        if form == .authority { try add(NID_basic_constraints, "critical,CA:TRUE", to: x509) }
        let signer = authority?.key ?? key
        try OpenSSLError.check(X509_sign(x509, signer.pointer, EVP_sha256()), "X509_sign")
        return Self(
            certificatePEM: try PEM.text { PEM_write_bio_X509($0, x509) },
            keyPEM: try PEM.text { PEM_write_bio_PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) },
            fingerprint: try CertificateReport(x509: x509).fingerprint
        )
    }

    private static func add(_ kind: Int32, _ text: String, to x509: OpaquePointer) throws(OpenSSLError) {
        let made = X509V3_EXT_conf_nid(nil, nil, kind, text)
        let item = try OpenSSLError.check(made, "X509V3_EXT_conf_nid")
        defer { X509_EXTENSION_free(item) }
        try OpenSSLError.check(X509_add_ext(x509, item, -1), "X509_add_ext")
    }
}
