/// Why a TLS connection could not be made or went wrong.
public struct TLSFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable {
        /// The certificate is not acceptable to the ``TrustPolicy``.
        case untrusted
        /// The certificate's common name is another one than the policy's.
        case otherName
        /// The certificate is not the pinned one, whose SHA-256 is `expected`.
        case certificateChanged(expected: String)
        /// The peer refused, does not speak TLS, or has no version or cipher in common with us.
        case handshake
        /// A record was damaged, or an alert ended an established connection.
        case `protocol`
        /// The connection ended before the handshake was complete, or was used after its end.
        case closed
        /// A certificate, key, authority file or host name cannot be used.
        case configuration
    }

    /// The kind.
    public let code: Code
    /// One sentence, without anything secret.
    public let message: String
    /// The peer's certificate, when it had sent one.
    public let certificate: CertificateReport?
    /// What OpenSSL said, when it did.
    public let underlying: OpenSSLError?

    /// A failure of this kind.
    public init(
        code: Code,
        message: String,
        certificate: CertificateReport? = nil,
        underlying: OpenSSLError? = nil
    ) {
        self.code = code
        self.message = message
        self.certificate = certificate
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }
}
