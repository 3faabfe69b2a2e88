/// How the certificate of the last connection was judged that a foreign library made from a ``TLSContext``.
public struct TLSVerification: Sendable, Hashable {
    /// The peer's certificate.
    public let certificate: CertificateReport?
    /// Why it was rejected; nil when it was accepted.
    public let failure: TLSFailure?
}
