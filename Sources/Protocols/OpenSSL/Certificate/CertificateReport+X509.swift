internal import COpenSSL
internal import ForeignText
internal import Foundation
internal import Platform

extension CertificateReport {
    /// Reads an `X509`, which stays the caller's.
    init(x509 certificate: OpaquePointer) throws(OpenSSLError) {
        let name = Self.commonName(in: X509_get_subject_name(certificate))
        self.init(
            fingerprint: try Self.fingerprint(of: certificate),
            subject: Self.text(of: X509_get_subject_name(certificate)),
            issuer: Self.text(of: X509_get_issuer_name(certificate)),
            commonName: name.map { Self.printable($0) },
            notBefore: Self.date(X509_get0_notBefore(certificate)),
            notAfter: Self.date(X509_get0_notAfter(certificate)),
            commonNameBytes: name
        )
    }

    /// The first certificate of a PEM text.
    public init(pem: String) throws(OpenSSLError) {
        let certificate = try OpenSSLError.check(try PEM.certificates(pem).first, "PEM_read_bio_X509")
        try self.init(x509: certificate.pointer)
    }

    private static func fingerprint(of certificate: OpaquePointer) throws(OpenSSLError) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        ERR_clear_error()
        try OpenSSLError.check(X509_digest(certificate, EVP_sha256(), &bytes, &length), "X509_digest")
        return bytes.prefix(Int(length)).hex
    }

    private static func text(of name: OpaquePointer?) -> String {
        guard let name, let memory = MemoryBIO() else { return "" }
        X509_NAME_print_ex(memory.pointer, name, 0, copenssl_name_flags)
        return printable(memory.contents())
    }

    /// The name in one line for people; the limit is above the 64 characters that RFC 5280 allows.
    private static func printable(_ utf8: some Sequence<UInt8>) -> String {
        ForeignText.line(String(decoding: Array(utf8.prefix(1_024)), as: UTF8.self), scalars: 256)
    }

    /// The common name in a name, in UTF-8; nil when there is none, or more than one.
    static func commonName(in name: OpaquePointer?) -> [UInt8]? {
        guard let name else { return nil }
        let index = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
        guard index >= 0, X509_NAME_get_index_by_NID(name, NID_commonName, index) < 0,
            let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index))
        else { return nil }
        var utf8: UnsafeMutablePointer<UInt8>?
        let length = ASN1_STRING_to_UTF8(&utf8, value)
        guard length >= 0, let utf8 else {
            ERR_clear_error()
            return nil
        }
        defer { CRYPTO_free(utf8, nil, 0) }
        return Array(UnsafeBufferPointer(start: utf8, count: Int(length)))
    }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else {
            ERR_clear_error()
            return .distantPast
        }
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }
}
