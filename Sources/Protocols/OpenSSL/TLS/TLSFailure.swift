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

    /// What people have to tell apart among failures of one kind.
    public enum Detail: Sendable, Hashable {
        /// The certificate, or one that it rests on, has expired.
        case expired
        /// The certificate, or one that it rests on, is not valid yet.
        case notYetValid
        /// The chain does not lead to a trusted authority: a certificate in between is missing, or it is another maker's.
        case unknownIssuer
        /// The certificate names a trusted authority as its issuer, and the authority did not sign it.
        case forged
        /// The certificate is for another host.
        case otherHost
        /// The peer does not speak TLS.
        case notTLS
        /// The peer knows no version of TLS after 1.1.
        case oldVersion
        /// The peer wants a certificate, or another one than ours, or accepts none of our ciphers; not every peer says which.
        case refused
    }

    /// The kind.
    public let code: Code
    /// More about it; nil where nothing is known.
    public let detail: Detail?
    /// One sentence, without anything secret.
    public let message: String
    /// The peer's certificate, when it had sent one.
    public let certificate: CertificateReport?

    /// A failure of this kind.
    public init(
        _ code: Code,
        _ message: String,
        certificate: CertificateReport? = nil,
        underlying: OpenSSLError? = nil,
        detail: Detail? = nil
    ) {
        self.code = code
        self.message = message
        self.certificate = certificate
        self.detail = detail ?? underlying?.detail
    }

    /// The message.
    public var description: String { message }
}
