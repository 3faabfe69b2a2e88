public import Foundation

/// What a peer's certificate says about itself; nothing here is verified unless the trust policy verified it.
public struct CertificateReport: Sendable, Hashable {
    /// The SHA-256 of the certificate (DER), 64 lower-case hexadecimal digits.
    public let fingerprint: String
    /// The subject as RFC 2253 writes names, control characters escaped.
    public let subject: String
    /// The issuer as RFC 2253 writes names, control characters escaped.
    public let issuer: String
    /// The subject's common name; nil when there is none, or more than one.
    public let commonName: String?
    /// The beginning of its validity.
    public let notBefore: Date
    /// The end of its validity.
    public let notAfter: Date
    /// 3, or 1 for the certificates of older printers.
    public let version: Int

    /// Makes a report of known values.
    public init(
        fingerprint: String,
        subject: String,
        issuer: String,
        commonName: String?,
        notBefore: Date,
        notAfter: Date,
        version: Int
    ) {
        self.fingerprint = fingerprint
        self.subject = subject
        self.issuer = issuer
        self.commonName = commonName
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.version = version
    }
}
